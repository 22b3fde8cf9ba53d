/** Measures of a run as charts: one for each, and one for all weights together. */

import type { Schemas } from "../../api/client";
import type { Line } from "../../charts/lines";
import { readable } from "./names";

export interface CurveView {
  name: string;
  title: string;
  words: string;
  /** Whether it is a share, 0 to 1. */
  share: boolean;
  xs: number[];
  lines: Line[];
}

type Curve = Schemas["MetricCurve"];

const SHARES = ["score", "first", "draws"];
const WEIGHT = "weight/";
const MOST_WEIGHTS = 6;

/** The score first, the weights that changed most last. */
export function curveViews(curves: readonly Curve[]): CurveView[] {
  const plain = curves.filter((curve) => !curve.name.startsWith(WEIGHT));
  const views = plain
    .map((curve) => ({
      name: curve.name,
      title: readable(curve.name),
      words: curve.words,
      share: SHARES.includes(curve.name),
      xs: curve.steps,
      lines: [{ name: readable(curve.name), values: curve.values, colour: "--chart-1", fill: SHARES.includes(curve.name) ? ("down" as const) : undefined }],
    }))
    .sort((a, b) => Number(b.name === "score") - Number(a.name === "score"));
  const weights = weightView(curves.filter((curve) => curve.name.startsWith(WEIGHT)));
  return weights ? [...views, weights] : views;
}

function weightView(curves: readonly Curve[]): CurveView | null {
  if (curves.length === 0) return null;
  const travelled = (curve: Curve): number => Math.abs((curve.values.at(-1) ?? 0) - (curve.values[0] ?? 0));
  const chosen = [...curves].sort((a, b) => travelled(b) - travelled(a)).slice(0, MOST_WEIGHTS);
  const xs = [...new Set(chosen.flatMap((curve) => curve.steps))].sort((a, b) => a - b);
  const lines = chosen.map((curve, at) => {
    const found = new Map(curve.steps.map((step, place) => [step, curve.values[place] ?? null]));
    return { name: readable(curve.name.slice(WEIGHT.length)), values: xs.map((x) => found.get(x) ?? null), colour: `--chart-${at + 1}`, dashed: at % 2 === 1 };
  });
  const words = curves.length > MOST_WEIGHTS ? `The ${MOST_WEIGHTS} weights that changed most, of ${curves.length}.` : "What each term is worth.";
  return { name: "weights", title: "Weights", words, share: false, xs, lines };
}
