/** Client-side routing with the History API. Every view has a URL that can be copied and reopened. */

export interface Route {
  /** The path segments: `["analyse", "abc"]` for `/analyse/abc`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  /** Path and query string. */
  readonly address: string;
}

function currentRoute(): Route {
  return {
    parts: location.pathname.split("/").filter(Boolean).map(decodePart),
    query: new URLSearchParams(location.search),
    address: location.pathname + location.search,
  };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

let current: Route = $state.raw(currentRoute());

/** The current route; reactive. */
export function route(): Route {
  return current;
}

/** Open an address on this site. `replace` replaces the current history entry. */
export function go(address: string, options: { replace?: boolean } = {}): void {
  if (address === current.address) return;
  if (options.replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  const previousPage = current.parts[0];
  current = currentRoute();
  if (current.parts[0] !== previousPage && !options.replace) scrollTo(0, 0);
}

/** Change query parameters and keep the others; null removes a parameter. */
export function goQuery(changes: Record<string, string | null>, options: { replace?: boolean } = {}): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  go(location.pathname + (text ? `?${text}` : ""), options);
}

addEventListener("popstate", () => {
  current = currentRoute();
});

// A plain click on an internal link changes the route without reloading the page.
document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/") || link.pathname === "/openapi.json") return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname + link.search);
});
