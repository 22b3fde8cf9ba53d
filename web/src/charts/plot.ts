/** A uPlot chart styled with the design tokens. LineChart loads this module when the first chart is shown. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Line } from "./lines";

export interface PlotData {
  xs: readonly number[];
  lines: readonly Line[];
  /** The range of the y axis; null fits it to the data. */
  range: readonly [number, number] | null;
  formatX: (x: number) => string;
  formatY: (y: number) => string;
  /** The y value of a dashed horizontal line; null for none. */
  referenceY: number | null;
  /** The x value of a vertical line; null for none. */
  currentX: number | null;
  /** The x values of dashed vertical lines. */
  marks: readonly number[];
}

export interface PlotHandlers {
  /** Called with the index of the point under the pointer, or with null when the pointer leaves the chart. */
  hover: (index: number | null) => void;
  click?: (index: number) => void;
}

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const forcedColours = matchMedia("(forced-colors: active)");

/** The current value of a colour token. */
export function token(name: string): string {
  if (forcedColours.matches) return "CanvasText";
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "CanvasText";
}

/** The value of a colour token with an alpha between 0 and 1. */
function translucent(name: string, alpha: number): string {
  const percentage = Math.round(alpha * 100);
  return forcedColours.matches ? "transparent" : `color-mix(in srgb, ${token(name)} ${percentage}%, transparent)`;
}

/** A chart in an element. Call `resize` when the element's size changes and `redraw` when the theme changes. */
export class Plot {
  private readonly plot: uPlot;
  private data: PlotData;

  constructor(
    private readonly element: HTMLElement,
    data: PlotData,
    handlers: PlotHandlers,
    private readonly height: () => number,
  ) {
    this.data = data;
    this.plot = new uPlot(this.options(handlers), this.alignedData(), element);
    if (handlers.click) {
      this.plot.over.style.cursor = "pointer";
      this.plot.over.addEventListener("click", () => {
        const index = this.plot.cursor.idx;
        if (index != null) handlers.click?.(index);
      });
    }
  }

  setData(data: PlotData): void {
    this.data = data;
    this.plot.setData(this.alignedData());
  }

  resize(): void {
    const width = this.element.clientWidth;
    if (width > 0 && (width !== this.plot.width || this.height() !== this.plot.height))
      this.plot.setSize({ width, height: this.height() });
  }

  redraw(): void {
    this.plot.redraw(false, true);
  }

  destroy(): void {
    this.plot.destroy();
  }

  private alignedData(): uPlot.AlignedData {
    return [[...this.data.xs], ...this.data.lines.map((line) => [...line.values])] as uPlot.AlignedData;
  }

  private options(handlers: PlotHandlers): uPlot.Options {
    const axis = (format: (value: number) => string): uPlot.Axis => ({
      stroke: () => token("--ink-3"),
      font: FONT,
      grid: { stroke: () => token("--grid-line"), width: 1 },
      ticks: { show: false },
      values: (_, splits) => splits.map((value) => format(value)),
    });
    return {
      width: Math.max(1, this.element.clientWidth),
      height: this.height(),
      padding: [10, 16, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        points: {
          size: 7,
          width: 2,
          stroke: (_, series) => token(this.data.lines[series - 1]?.colour ?? "--ink"),
          fill: () => token("--surface"),
        },
        move: (_, left, top) => [left, top],
      },
      scales: {
        x: { time: false, range: (_, min, max) => this.rangeX(min, max) },
        y: { range: (_, min, max) => this.rangeY(min, max) },
      },
      axes: [
        {
          ...axis((x) => this.data.formatX(x)),
          size: 26,
          gap: 4,
          space: 56,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
        },
        { ...axis((y) => this.data.formatY(y)), size: 48, gap: 6, space: 32 },
      ],
      series: [{}, ...this.data.lines.map((line, index) => this.series(line, index))],
      hooks: {
        setCursor: [
          ({ cursor }) => handlers.hover(cursor.left != null && cursor.left >= 0 ? (cursor.idx ?? null) : null),
        ],
        drawAxes: [(plot) => this.drawReferenceLines(plot)],
      },
    };
  }

  private series(line: Line, index: number): uPlot.Series {
    const current = (): Line => this.data.lines[index] ?? line;
    const fill = line.fill === "up" ? 1 : 0;
    return {
      label: line.name,
      spanGaps: true,
      stroke: () => (current().fillOnly ? "transparent" : token(current().colour)),
      width: line.fillOnly ? 0 : 2,
      dash: line.dashed ? [6, 4] : undefined,
      fill: line.fill ? () => translucent(current().colour, line.fillOnly ? 0.3 : 0.12) : undefined,
      fillTo: line.fill ? () => this.plot.scales.y?.[fill ? "max" : "min"] ?? 0 : undefined,
      points: {
        show: (plot, _, from, to) => !line.fillOnly && to - from < 40 && plot.width > 200,
        size: 5,
        fill: () => token(current().colour),
      },
    };
  }

  private rangeX(min: number | null, max: number | null): [number, number] {
    const [low, high] = [min ?? 0, max ?? 1];
    return low === high ? [low, low + 1] : [low, high];
  }

  private rangeY(min: number | null, max: number | null): [number, number] {
    if (this.data.range) return [this.data.range[0], this.data.range[1]];
    if (min == null || max == null) return [0, 1];
    const margin = (max - min || Math.abs(max) || 1) * 0.08;
    return [min - margin, max + margin];
  }

  private drawReferenceLines(plot: uPlot): void {
    const { referenceY, currentX, marks } = this.data;
    const { left, top, width, height } = plot.bbox;
    const draw = (colour: string, dash: number[], from: [number, number], to: [number, number]): void => {
      plot.ctx.save();
      plot.ctx.strokeStyle = token(colour);
      plot.ctx.lineWidth = devicePixelRatio;
      plot.ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
      plot.ctx.beginPath();
      plot.ctx.moveTo(...from);
      plot.ctx.lineTo(...to);
      plot.ctx.stroke();
      plot.ctx.restore();
    };
    if (referenceY !== null) {
      const y = plot.valToPos(referenceY, "y", true);
      draw("--line-strong", [4, 4], [left, y], [left + width, y]);
    }
    for (const mark of marks) {
      const x = plot.valToPos(mark, "x", true);
      if (x >= left && x <= left + width) draw("--ink-3", [2, 4], [x, top], [x, top + height]);
    }
    if (currentX !== null && this.data.xs.length > 0) {
      const x = plot.valToPos(currentX, "x", true);
      if (x >= left - 1 && x <= left + width + 1) draw("--accent", [], [x, top], [x, top + height]);
    }
  }
}
