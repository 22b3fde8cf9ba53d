/** The list of pages. A page is a folder in `pages/` and an entry here; its code is loaded when it is first opened. */

import type { Page } from "./frame/page";

export const PAGES: readonly Page[] = [
  {
    id: "play",
    title: "Play",
    icon: "play",
    rail: true,
    usesGameQuery: false,
    load: () => import("./pages/play/Play.svelte"),
  },
  {
    id: "analyse",
    title: "Analyse",
    icon: "analyse",
    rail: true,
    usesGameQuery: true,
    load: () => import("./pages/analyse/Analyse.svelte"),
  },
  {
    id: "watch",
    title: "Watch",
    icon: "watch",
    rail: true,
    usesGameQuery: true,
    load: () => import("./pages/watch/Watch.svelte"),
  },
  {
    id: "arena",
    title: "Arena",
    icon: "arena",
    rail: true,
    usesGameQuery: true,
    load: () => import("./pages/arena/Arena.svelte"),
  },
  {
    id: "train",
    title: "Train",
    icon: "train",
    rail: true,
    usesGameQuery: true,
    load: () => import("./pages/train/Train.svelte"),
  },
  {
    id: "library",
    title: "Library",
    icon: "library",
    rail: true,
    usesGameQuery: true,
    load: () => import("./pages/library/Library.svelte"),
  },
  {
    id: "shared",
    title: "Shared game",
    icon: "share",
    rail: false,
    usesGameQuery: false,
    load: () => import("./pages/shared/Shared.svelte"),
  },
];
