/** User settings, stored in the browser and shared by all its tabs. */

export type Theme = "system" | "light" | "dark";
export type BoardTheme = "wood" | "slate" | "leaf" | "contrast";

export interface Settings {
  theme: Theme;
  board: BoardTheme;
  coordinates: boolean;
  arrows: boolean;
  sound: boolean;
  animation: boolean;
  /** Single-key shortcuts such as `h` for a hint. People who use speech input can turn them off (WCAG 2.1.4). */
  keys: boolean;
  /** Whether to show the evaluation bar. */
  evaluation: boolean;
  coach: boolean;
  /** The game that `/` opens. */
  game: string;
  level: string;
  /** The name or spec of the engine of the Analyse page; empty for the default engine. */
  engine: string;
  /** The number of lines that the Analyse page shows. */
  lines: number;
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
  engine: "",
  lines: 3,
};

/** Read the stored settings. Ignore unknown fields and values of the wrong type, such as those of another version. */
function readSettings(): Settings {
  const result: Settings = { ...DEFAULTS };
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof stored === "object" && stored !== null) {
      for (const [name, value] of Object.entries(stored)) {
        if (name in DEFAULTS && typeof value === typeof DEFAULTS[name as keyof Settings]) {
          Object.assign(result, { [name]: value });
        }
      }
    }
  } catch {
    return result;
  }
  return result;
}

export const settings: Settings = $state(readSettings());

/** Change settings and store them. */
export function updateSettings(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Storage is unavailable: the change lasts until the tab is closed.
  }
  applyTheme();
}

const darkScheme = matchMedia("(prefers-color-scheme: dark)");
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether both the user's and the system's settings allow animations. */
export function animationsEnabled(): boolean {
  return settings.animation && !reducedMotion.matches;
}

export function applyTheme(): void {
  const root = document.documentElement;
  const theme = settings.theme === "system" ? (darkScheme.matches ? "dark" : "light") : settings.theme;
  root.dataset.theme = theme;
  root.dataset.board = settings.board;
}

darkScheme.addEventListener("change", applyTheme);
addEventListener("storage", (event) => {
  if (event.key === KEY) {
    Object.assign(settings, readSettings());
    applyTheme();
  }
});
