/** Addresses: which page is open, and what the rest of its address says. Every place can be copied and opened again. */

export interface Route {
  /** Parts of the path: `/analyse/abc` is `["analyse", "abc"]`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  /** Path and query as they stand in the address line. */
  readonly address: string;
}

function here(): Route {
  return {
    parts: location.pathname.split("/").filter(Boolean).map(readable),
    query: new URLSearchParams(location.search),
    address: location.pathname + location.search,
  };
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

let current: Route = $state.raw(here());

/** The address that is open; reactive. */
export function route(): Route {
  return current;
}

/** Opens an address of this page. `replace` leaves no step behind for the back button. */
export function go(address: string, options: { replace?: boolean } = {}): void {
  if (address === current.address) return;
  if (options.replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  const moved = current.parts[0] !== here().parts[0];
  current = here();
  if (moved && !options.replace) scrollTo(0, 0);
}

/** Changes parts of the query and leaves the rest of the address; null takes a part out. */
export function goQuery(change: Record<string, string | null>, options: { replace?: boolean } = {}): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  go(location.pathname + (text ? `?${text}` : ""), options);
}

addEventListener("popstate", () => {
  current = here();
});

// Links are plain links; a plain click on one of ours changes the address without loading the page anew.
document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/") || link.pathname === "/openapi.json") return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname + link.search);
});
