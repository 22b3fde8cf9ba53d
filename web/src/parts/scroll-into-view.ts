/** Scroll the region around an element, but not the page, until the element is visible. For `{@attach}`. */
export function scrollIntoView(element: HTMLElement): void {
  const list = element.closest<HTMLElement>("[role=region]");
  if (!list) return;
  const [outer, inner] = [list.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - outer.height / 2;
}
