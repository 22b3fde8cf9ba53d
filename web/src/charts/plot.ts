/** uPlot dressed in the page's tokens. Fetched by LineChart when a chart is first shown, so that pages without one stay small. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Line, Sign } from "./lines";

export interface Wanted {
  xs: readonly number[];
  lines: readonly Line[];
  /** Ends of the upright axis; null fits it to what is shown. */
  range: readonly [number, number] | null;
  sayX: (x: number) => string;
  sayY: (y: number) => string;
  /** A level that divides good from bad, drawn as a thin dashed line. */
  middle: number | null;
  /** The x that is looked at. */
  mark: number | null;
  signs: readonly Sign[];
}

export interface Hooks {
  /** The index of the point under the pointer; null when it leaves. */
  over: (at: number | null) => void;
  pick?: (at: number) => void;
}

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const forced = matchMedia("(forced-colors: active)");

/** A colour of the tokens as it is now, light or dark. */
export function token(name: string): string {
  if (forced.matches) return "CanvasText";
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "CanvasText";
}

/** The same colour, see-through. */
function wash(name: string, alpha: number): string {
  return forced.matches ? "transparent" : `color-mix(in srgb, ${token(name)} ${Math.round(alpha * 100)}%, transparent)`;
}

/** A chart in an element. `put` shows other points, `resize` follows the element, `redraw` follows the theme. */
export class Plot {
  private readonly plot: uPlot;
  private wanted: Wanted;

  constructor(
    private readonly element: HTMLElement,
    wanted: Wanted,
    hooks: Hooks,
    private readonly height: () => number,
  ) {
    this.wanted = wanted;
    this.plot = new uPlot(this.options(hooks), this.data(), element);
    if (hooks.pick) {
      this.plot.over.style.cursor = "pointer";
      this.plot.over.addEventListener("click", () => {
        const at = this.plot.cursor.idx;
        if (at != null) hooks.pick?.(at);
      });
    }
  }

  put(wanted: Wanted): void {
    this.wanted = wanted;
    this.plot.setData(this.data());
  }

  resize(): void {
    const width = this.element.clientWidth;
    if (width > 0 && (width !== this.plot.width || this.height() !== this.plot.height)) this.plot.setSize({ width, height: this.height() });
  }

  redraw(): void {
    this.plot.redraw(false, true);
  }

  destroy(): void {
    this.plot.destroy();
  }

  private data(): uPlot.AlignedData {
    return [[...this.wanted.xs], ...this.wanted.lines.map((line) => [...line.values])] as uPlot.AlignedData;
  }

  private options(hooks: Hooks): uPlot.Options {
    const axis = (say: (value: number) => string): uPlot.Axis => ({
      stroke: () => token("--ink-3"),
      font: FONT,
      grid: { stroke: () => token("--grid-line"), width: 1 },
      ticks: { show: false },
      values: (_, splits) => splits.map((value) => say(value)),
    });
    return {
      width: Math.max(1, this.element.clientWidth),
      height: this.height(),
      padding: [10, 16, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        points: { size: 7, width: 2, stroke: (_, at) => token(this.wanted.lines[at - 1]?.colour ?? "--ink"), fill: () => token("--surface") },
        move: (_, left, top) => [left, top],
      },
      scales: {
        x: { time: false, range: (_, min, max) => this.across(min, max) },
        y: { range: (_, min, max) => this.upright(min, max) },
      },
      axes: [
        { ...axis((x) => this.wanted.sayX(x)), size: 26, gap: 4, space: 56, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000] },
        { ...axis((y) => this.wanted.sayY(y)), size: 48, gap: 6, space: 32 },
      ],
      series: [{}, ...this.wanted.lines.map((line, at) => this.series(line, at))],
      hooks: {
        setCursor: [(plot) => hooks.over(plot.cursor.left != null && plot.cursor.left >= 0 ? (plot.cursor.idx ?? null) : null)],
        drawAxes: [(plot) => this.middle(plot)],
        draw: [(plot) => this.above(plot)],
      },
    };
  }

  private series(line: Line, at: number): uPlot.Series {
    const now = (): Line => this.wanted.lines[at] ?? line;
    const fill = line.fill === "up" ? 1 : 0;
    return {
      label: line.name,
      spanGaps: true,
      stroke: () => (now().wash ? "transparent" : token(now().colour)),
      width: line.wash ? 0 : 2,
      dash: line.dashed ? [6, 4] : undefined,
      fill: line.fill ? () => wash(now().colour, line.wash ? 0.3 : 0.12) : undefined,
      fillTo: line.fill ? () => this.plot.scales.y?.[fill ? "max" : "min"] ?? 0 : undefined,
      points: { show: (plot, _, from, to) => !line.wash && to - from < 40 && plot.width > 200, size: 5, fill: () => token(now().colour) },
    };
  }

  private across(min: number | null, max: number | null): [number, number] {
    const [low, high] = [min ?? 0, max ?? 1];
    return low === high ? [low, low + 1] : [low, high];
  }

  private upright(min: number | null, max: number | null): [number, number] {
    if (this.wanted.range) return [this.wanted.range[0], this.wanted.range[1]];
    if (min == null || max == null) return [0, 1];
    const room = (max - min || Math.abs(max) || 1) * 0.08;
    return [min - room, max + room];
  }

  /** Lines across and upright that belong to the ground. */
  private middle(plot: uPlot): void {
    const { middle, mark } = this.wanted;
    const { left, top, width, height } = plot.bbox;
    const draw = (colour: string, dash: number[], from: [number, number], to: [number, number]): void => {
      plot.ctx.save();
      plot.ctx.strokeStyle = token(colour);
      plot.ctx.lineWidth = devicePixelRatio;
      plot.ctx.setLineDash(dash.map((one) => one * devicePixelRatio));
      plot.ctx.beginPath();
      plot.ctx.moveTo(...from);
      plot.ctx.lineTo(...to);
      plot.ctx.stroke();
      plot.ctx.restore();
    };
    if (middle !== null) {
      const y = plot.valToPos(middle, "y", true);
      draw("--line-strong", [4, 4], [left, y], [left + width, y]);
    }
    if (mark !== null && this.wanted.xs.length > 0) {
      const x = plot.valToPos(mark, "x", true);
      if (x >= left - 1 && x <= left + width + 1) draw("--accent", [], [x, top], [x, top + height]);
    }
  }

  /** Signs above the lines. */
  private above(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.font = `700 ${12 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "center";
    for (const sign of this.wanted.signs) {
      const x = plot.valToPos(sign.x, "x", true);
      const y = plot.valToPos(sign.y, "y", true) - 8 * devicePixelRatio;
      ctx.fillStyle = token(sign.colour);
      ctx.fillText(sign.text, x, Math.max(y, bbox.top + 10 * devicePixelRatio));
    }
    ctx.restore();
  }
}
