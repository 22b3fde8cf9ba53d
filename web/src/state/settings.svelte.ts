/** What a visitor chose once and finds again: kept in this browser, the same in all its tabs. */

export type Theme = "system" | "light" | "dark";
export type BoardTheme = "wood" | "slate" | "leaf" | "contrast";

export interface Settings {
  theme: Theme;
  board: BoardTheme;
  coordinates: boolean;
  arrows: boolean;
  sound: boolean;
  animation: boolean;
  /** Single keys such as `h` for a hint; off for people whose voice or switch control types letters by accident. */
  keys: boolean;
  /** The evaluation bar and the numbers beside the board. */
  evaluation: boolean;
  coach: boolean;
  /** The game that `/` puts on the table. */
  game: string;
  level: string;
}

const KEY = "plyground.settings";
const DEFAULTS: Settings = {
  theme: "system",
  board: "wood",
  coordinates: true,
  arrows: true,
  sound: false,
  animation: true,
  keys: true,
  evaluation: true,
  coach: false,
  game: "checkers",
  level: "Medium",
};

/** Only fields that we know, of the type that we expect: what is stored may be of another version. */
function read(): Settings {
  const found: Settings = { ...DEFAULTS };
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof stored === "object" && stored !== null) {
      for (const [name, value] of Object.entries(stored)) {
        if (name in DEFAULTS && typeof value === typeof DEFAULTS[name as keyof Settings]) {
          Object.assign(found, { [name]: value });
        }
      }
    }
  } catch {
    return found;
  }
  return found;
}

export const settings: Settings = $state(read());

/** Changes settings and keeps them. */
export function choose(change: Partial<Settings>): void {
  Object.assign(settings, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Storage is closed: the choice holds until the tab is closed.
  }
  applyTheme();
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether things may move: the visitor's choice here, and the system's. */
export function mayMove(): boolean {
  return settings.animation && !still.matches;
}

export function applyTheme(): void {
  const root = document.documentElement;
  const theme = settings.theme === "system" ? (dark.matches ? "dark" : "light") : settings.theme;
  root.dataset.theme = theme;
  root.dataset.board = settings.board;
}

dark.addEventListener("change", applyTheme);
addEventListener("storage", (event) => {
  if (event.key === KEY) {
    Object.assign(settings, read());
    applyTheme();
  }
});
