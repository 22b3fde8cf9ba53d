/** What a chart is told: points along one axis, and lines over them. */

/** A line of a chart. Lines are told apart by colour, by dashes and by their names in the legend. */
export interface Line {
  readonly name: string;
  /** One for each x; null where nothing is known, and the line goes on at the next point. */
  readonly values: readonly (number | null)[];
  /** The name of a colour token, such as `--chart-1`. */
  readonly colour: string;
  readonly dashed?: boolean;
  /** Fills from the line to the bottom or to the top of the chart, in a thin wash of its colour. */
  readonly fill?: "down" | "up";
  /** Only the wash is drawn, without the line. */
  readonly wash?: boolean;
}

/** A sign on the chart, such as "??" above a move. */
export interface Sign {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly colour: string;
}

/** At most so many rows of a table, evenly chosen, the last always: a text twin need not repeat a thousand points. */
export function evenRows(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, at) => at);
  return Array.from({ length: most }, (_, place) => Math.floor(((place + 1) * count) / most) - 1);
}

/** One sentence for who does not see the chart: where each line begins, where it ends, its lowest and its highest. */
export function summary(xs: readonly number[], lines: readonly Line[], sayX: (x: number) => string, sayY: (y: number) => string): string {
  const told = lines.map((line) => {
    const known = line.values.flatMap((value, at) => (value === null ? [] : [{ value, x: xs[at] ?? at }]));
    const [first, last] = [known[0], known.at(-1)];
    if (!first || !last) return `${line.name}: nothing yet`;
    if (known.length === 1) return `${line.name}: ${sayY(first.value)} at ${sayX(first.x)}`;
    const values = known.map((one) => one.value);
    const range = `lowest ${sayY(Math.min(...values))}, highest ${sayY(Math.max(...values))}`;
    return `${line.name}: from ${sayY(first.value)} at ${sayX(first.x)} to ${sayY(last.value)} at ${sayX(last.x)}, ${range}`;
  });
  return told.join(". ");
}
