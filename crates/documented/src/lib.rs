//! The attribute `#[documented]`, which copies docstrings from the type stub `python/plyground/_engine.pyi` to the classes and
//! functions of the native module, so that `help` and static tools show the same text.

mod stub;

use std::path::PathBuf;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Error, Fields, ImplItem, Item, Type, parse_quote};

use stub::Docstrings;

/// The path of the stub, relative to the crate that uses the attribute.
const STUB: &str = "../../python/plyground/_engine.pyi";

/// Documents a `#[pyclass]`, a `#[pymethods]` block or a `#[pyfunction]`. Place it above the PyO3 attribute. A public member
/// without a docstring in the stub is a compile-time error.
#[proc_macro_attribute]
pub fn documented(_arguments: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let path = folder.join(STUB);
    let documented = match std::fs::read_to_string(&path) {
        Ok(text) => syn::parse(item).and_then(|item| document(item, &Docstrings::parse(&text))),
        Err(error) => Err(Error::new(proc_macro2::Span::call_site(), format!("{}: {error}", path.display()))),
    };
    let path = path.to_string_lossy();
    match documented {
        // `include_bytes!` makes the compiler rebuild the crate when the stub changes.
        Ok(item) => quote!(#item const _: &[u8] = include_bytes!(#path);).into(),
        Err(error) => error.into_compile_error().into(),
    }
}

fn document(mut item: Item, docs: &Docstrings) -> syn::Result<TokenStream> {
    match &mut item {
        Item::Struct(class) => {
            let name = class.ident.to_string();
            replace_docs(&mut class.attrs, docs.get(&name).ok_or_else(|| missing(&class.ident, &name))?);
            if let Fields::Named(fields) = &mut class.fields {
                for field in &mut fields.named {
                    if let Some(doc) = field.ident.as_ref().and_then(|ident| docs.get(&format!("{name}.{ident}"))) {
                        replace_docs(&mut field.attrs, doc);
                    }
                }
            }
        }
        Item::Impl(block) => {
            let Type::Path(class) = &*block.self_ty else {
                return Err(Error::new_spanned(&block.self_ty, "expected the name of a class"));
            };
            let class = class.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
            for member in &mut block.items {
                let ImplItem::Fn(method) = member else { continue };
                let name = format!("{class}.{}", method.sig.ident);
                match docs.get(&name) {
                    Some(doc) => replace_docs(&mut method.attrs, doc),
                    None if is_public(method) => return Err(missing(&method.sig.ident, &name)),
                    None => {}
                }
            }
        }
        Item::Fn(function) => {
            let name = function.sig.ident.to_string();
            replace_docs(&mut function.attrs, docs.get(&name).ok_or_else(|| missing(&function.sig.ident, &name))?);
        }
        other => return Err(Error::new_spanned(other, "expected a class, its methods or a function")),
    }
    Ok(quote!(#item))
}

/// Whether a method is neither a special method nor the constructor.
fn is_public(method: &syn::ImplItemFn) -> bool {
    !method.sig.ident.to_string().starts_with("__") && !method.attrs.iter().any(|attribute| attribute.path().is_ident("new"))
}

/// Replaces the Rust doc comments with a Python docstring.
fn replace_docs(attributes: &mut Vec<Attribute>, doc: &str) {
    attributes.retain(|attribute| !attribute.path().is_ident("doc"));
    attributes.push(parse_quote!(#[doc = #doc]));
}

fn missing(item: &impl quote::ToTokens, name: &str) -> Error {
    Error::new_spanned(item, format!("{name} has no docstring in _engine.pyi"))
}
