/** Chart lines and their text alternatives. */

/** A chart line, identified by its colour, dash pattern and name in the legend. */
export interface Line {
  readonly name: string;
  /** One value per x; the line skips nulls. */
  readonly values: readonly (number | null)[];
  /** The name of a CSS custom property, such as `--chart-1`. */
  readonly colour: string;
  readonly dashed?: boolean;
  /** Fill the area between the line and the bottom or top of the chart with a tint of its colour. */
  readonly fill?: "down" | "up";
  /** Draw the fill but not the line. */
  readonly fillOnly?: boolean;
}

/** At most `maximum` of `count` row indices, evenly spaced and always including the last. */
export function sampleRows(count: number, maximum: number): number[] {
  if (count <= maximum) return Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: maximum }, (_, index) => Math.floor(((index + 1) * count) / maximum) - 1);
}

/** Describe each line for screen readers: first and last value, minimum and maximum. */
export function summary(
  xs: readonly number[],
  lines: readonly Line[],
  formatX: (x: number) => string,
  formatY: (y: number) => string,
): string {
  const sentences = lines.map((line) => {
    const points = line.values.flatMap((value, index) => (value === null ? [] : [{ value, x: xs[index] ?? index }]));
    const [first, last] = [points[0], points.at(-1)];
    if (!first || !last) return `${line.name}: no data`;
    const describe = ({ value, x }: typeof first): string => `${formatY(value)} at ${formatX(x)}`;
    if (points.length === 1) return `${line.name}: ${describe(first)}`;
    const values = points.map((point) => point.value);
    const range = `minimum ${formatY(Math.min(...values))}, maximum ${formatY(Math.max(...values))}`;
    return `${line.name}: from ${describe(first)} to ${describe(last)}, ${range}`;
  });
  return sentences.join(". ");
}
