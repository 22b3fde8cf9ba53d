/** Scrolls the list around an element, and nothing else, so that the element is seen: made for `{@attach}`. */
export function reveal(element: HTMLElement): void {
  const list = element.closest<HTMLElement>("[role=region]");
  if (!list) return;
  const [box, place] = [list.getBoundingClientRect(), element.getBoundingClientRect()];
  if (place.top < box.top || place.bottom > box.bottom) list.scrollTop += place.top - box.top - box.height / 2;
}
