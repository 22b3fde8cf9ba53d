/** The interface between the frame and the pages. */

import type { Component } from "svelte";
import type { IconName } from "./icons";

export interface PageProps {
  /** The path segments after the page's own: `["abc"]` for `/analyse/abc`. */
  parts: readonly string[];
  query: URLSearchParams;
}

export interface Page {
  /** The first segment of the page's path. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  /** Whether the page appears in the navigation rail; other pages can be reached only through links. */
  readonly rail: boolean;
  /** Whether the page shows the game named by `?game=`. On other pages, selecting a game opens Play. */
  readonly usesGameQuery: boolean;
  readonly load: () => Promise<{ default: Component<PageProps> }>;
}

/** The page for a route: Play for `/`, null if there is no such page. */
export function findPage(pages: readonly Page[], parts: readonly string[]): Page | null {
  const id = parts[0] ?? "play";
  return pages.find((page) => page.id === id) ?? null;
}

export function pageHref(page: Page): string {
  return page.id === "play" ? "/" : `/${page.id}`;
}
