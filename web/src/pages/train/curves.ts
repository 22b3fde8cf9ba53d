/** The charts of a training run: one for each metric and one for all weights. */

import type { Schemas } from "../../api/client";
import type { Line } from "../../charts/lines";
import { count, displayName } from "../../parts/format";

export interface CurveView {
  name: string;
  title: string;
  description: string;
  /** Whether the values are fractions between 0 and 1. */
  isShare: boolean;
  xs: number[];
  lines: Line[];
}

type Curve = Schemas["MetricCurve"];

const SCORE = "score";
const STRENGTH = "strength";
const SHARE_METRICS = [SCORE, STRENGTH, "first", "draws"];
const WEIGHT_PREFIX = "weight/";
const MAX_WEIGHTS = 6;

/** Returns the charts, with the score first and the weights last. The score and the strength share a chart. */
export function curveViews(curves: readonly Curve[]): CurveView[] {
  const strength = curves.find((curve) => curve.name === STRENGTH);
  const hasScore = curves.some((curve) => curve.name === SCORE);
  const metrics = curves.filter(
    (curve) => !curve.name.startsWith(WEIGHT_PREFIX) && !(hasScore && curve.name === STRENGTH),
  );
  const views = metrics
    .map((curve) => ({
      name: curve.name,
      title: displayName(curve.name),
      description: curve.description,
      isShare: SHARE_METRICS.includes(curve.name),
      xs: curve.steps,
      lines: [
        {
          name: displayName(curve.name),
          values: curve.values,
          colour: "--chart-1",
          fill: SHARE_METRICS.includes(curve.name) ? ("down" as const) : undefined,
        },
      ],
    }))
    .map((view) => (view.name === SCORE && strength ? withStrength(view, strength) : view))
    .sort((a, b) => Number(b.name === SCORE) - Number(a.name === SCORE));
  const weights = weightView(curves.filter((curve) => curve.name.startsWith(WEIGHT_PREFIX)));
  return weights ? [...views, weights] : views;
}

/** Adds the strength, which is measured less often, to the chart of the score. */
function withStrength(view: CurveView, strength: Curve): CurveView {
  const byStep = new Map(strength.steps.map((step, at) => [step, strength.values[at] ?? null]));
  const values = view.xs.map((x) => byStep.get(x) ?? null);
  return {
    ...view,
    description: `${view.description} Strength: ${lowerFirst(strength.description)}`,
    lines: [...view.lines, { name: "Strength", values, colour: "--chart-2", dashed: true }],
  };
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Explains the vertical lines of the charts; empty if the opponent never changed. */
export function describeChanges(changes: readonly number[]): string {
  const [first, second] = changes;
  if (first === undefined) return "";
  const games = count(first, "game");
  const start = `Vertical lines mark new opponents: after ${games}, a copy of the learner became the opponent`;
  return second === undefined ? `${start}.` : `${start}; the copy was replaced ${count(changes.length - 1, "time")}.`;
}

function weightView(curves: readonly Curve[]): CurveView | null {
  if (curves.length === 0) return null;
  const totalChange = (curve: Curve): number => Math.abs((curve.values.at(-1) ?? 0) - (curve.values[0] ?? 0));
  const selected = [...curves].sort((a, b) => totalChange(b) - totalChange(a)).slice(0, MAX_WEIGHTS);
  const xs = [...new Set(selected.flatMap((curve) => curve.steps))].sort((a, b) => a - b);
  const lines = selected.map((curve, index) => {
    const byStep = new Map(curve.steps.map((step, position) => [step, curve.values[position] ?? null]));
    return {
      name: displayName(curve.name.slice(WEIGHT_PREFIX.length)),
      values: xs.map((x) => byStep.get(x) ?? null),
      colour: `--chart-${index + 1}`,
      dashed: index % 2 === 1,
    };
  });
  const description =
    curves.length > MAX_WEIGHTS
      ? `The ${MAX_WEIGHTS} weights (of ${curves.length}) that changed most.`
      : "The weight of each feature.";
  return { name: "weights", title: "Weights", description, isShare: false, xs, lines };
}
