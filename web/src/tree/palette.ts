/** The colours of tree nodes: a scale from the second side's colour through grey to the first side's. */

export const STEPS = 24;

export interface Palette {
  /** Colours by value for the first player, in STEPS steps from 0 to 1. */
  values: string[];
  /** Text colours that are readable on `values`. */
  inks: string[];
  paper: string;
  ink: string;
  quiet: string;
  line: string;
  accent: string;
  accentSoft: string;
  warn: string;
  font: string;
}

type Colour = readonly [number, number, number];

function parse(text: string): Colour {
  const hex = text.trim().replace("#", "");
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) || 0;
  return [part(0), part(2), part(4)];
}

function mix(a: Colour, b: Colour, share: number): Colour {
  const part = (at: 0 | 1 | 2): number => Math.round(a[at] + (b[at] - a[at]) * share);
  return [part(0), part(1), part(2)];
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

const css = (colour: Colour): string => `rgb(${colour.join(" ")})`;

/** Create the palette from the current values of the design tokens. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  const [loss, even, win] = [parse(token("--loss")), parse(token("--draw")), parse(token("--win"))];
  const surface = parse(token("--surface"));
  const middle = mix(even, surface, 0.45);
  const colours = Array.from({ length: STEPS + 1 }, (_, step) => {
    const value = step / STEPS;
    return value < 0.5 ? mix(loss, middle, value * 2) : mix(middle, win, (value - 0.5) * 2);
  });
  const inks = [parse(token("--ink")), surface].sort((a, b) => luminance(b) - luminance(a));
  const readable = (colour: Colour): string => {
    const [on, light, dark] = [luminance(colour), luminance(inks[0] ?? surface), luminance(inks[1] ?? surface)];
    return css(((light + 0.05) / (on + 0.05) > (on + 0.05) / (dark + 0.05) ? inks[0] : inks[1]) ?? surface);
  };
  return {
    values: colours.map(css),
    inks: colours.map(readable),
    paper: token("--surface"),
    ink: token("--ink"),
    quiet: token("--ink-3"),
    line: token("--line"),
    accent: token("--accent"),
    accentSoft: token("--accent-soft"),
    warn: token("--warn"),
    font: token("--font") || "sans-serif",
  };
}

/** The palette step for a value between 0 and 1. */
export function stepOf(value: number): number {
  return Math.round(Math.max(0, Math.min(1, value)) * STEPS);
}
