/** THE list of pages. A page is a folder under `pages/` and a line here; its code is fetched when it is first opened. */

import type { Component } from "svelte";
import type { IconName } from "./frame/icons";

/** Every page component gets the parts of the address after its own: `/analyse/abc` gives `["abc"]`. */
export interface PageProps {
  parts: readonly string[];
  query: URLSearchParams;
}

export interface Page {
  /** First part of its address. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  /** Whether it stands in the rail; others are reached by links only. */
  readonly rail: boolean;
  readonly load: () => Promise<{ default: Component<PageProps> }>;
}

export const PAGES: readonly Page[] = [
  { id: "play", title: "Play", icon: "play", rail: true, load: () => import("./pages/play/Play.svelte") },
  { id: "analyse", title: "Analyse", icon: "analyse", rail: true, load: () => import("./pages/analyse/Analyse.svelte") },
  { id: "watch", title: "Watch", icon: "watch", rail: true, load: () => import("./pages/watch/Watch.svelte") },
  { id: "arena", title: "Arena", icon: "arena", rail: true, load: () => import("./pages/arena/Arena.svelte") },
  { id: "train", title: "Train", icon: "train", rail: true, load: () => import("./pages/train/Train.svelte") },
  { id: "library", title: "Library", icon: "library", rail: true, load: () => import("./pages/library/Library.svelte") },
  { id: "shared", title: "Shared game", icon: "share", rail: false, load: () => import("./pages/shared/Shared.svelte") },
];

/** The page of an address; `/` is Play. Null where no page has that name. */
export function pageOf(parts: readonly string[]): Page | null {
  const id = parts[0] ?? "play";
  return PAGES.find((page) => page.id === id) ?? null;
}

/** Where a page's link leads: Play stands at `/`. */
export function pageAddress(page: Page): string {
  return page.id === "play" ? "/" : `/${page.id}`;
}
