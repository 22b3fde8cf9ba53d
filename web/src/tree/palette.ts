/** Colours of nodes from the tokens: from the second side's over grey to the first side's. */

export const STEPS = 24;

export interface Palette {
  /** By value for the side that begins, from 0 to 1. */
  values: string[];
  /** On a value's colour, the ink that can be read. */
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

/** Reads the tokens as they are now: light or dark. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  const [loss, even, win] = [parse(token("--loss")), parse(token("--draw")), parse(token("--win"))];
  const surface = parse(token("--surface"));
  const middle = mix(even, surface, 0.45);
  const colours = Array.from({ length: STEPS + 1 }, (_, at) => {
    const value = at / STEPS;
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

/** Which step of the palette a value has. */
export function stepOf(value: number): number {
  return Math.round(Math.max(0, Math.min(1, value)) * STEPS);
}
