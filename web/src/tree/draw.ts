/**
 * Draws a tree on a canvas. Nodes of the same colour share paths, so that 2,000 nodes take about 150 draw calls, plus
 * two for each label.
 */

import { percent, compactNumber } from "../parts/format";
import type { Layout, PlacedNode } from "./layout";
import { stubLabel } from "./model";
import { STEPS, stepOf, type Palette } from "./palette";
import type { View } from "./view";

export type Highlight = "path" | "new" | "playout" | "backup";

export interface Scene {
  layout: Layout;
  view: View;
  palette: Palette;
  selected: string | null;
  hovered: string | null;
  /** The nodes of the current step in step mode, by key. */
  highlights: ReadonlyMap<string, Highlight>;
}

const MAX_THICKNESS = 30;
const FONT_SIZE = 12;
/** Edges thinner than this, in pixels, are drawn as lines. */
const MIN_BAND = 1.5;
const MAX_PATH_NODES = 24;

/** Draw a scene and return the number of visible nodes. */
export function draw(canvas: CanvasRenderingContext2D, scene: Scene): number {
  const { view, palette, layout } = scene;
  canvas.clearRect(0, 0, view.width, view.height);
  canvas.lineCap = "round";
  const visible = layout.nodes.filter((placed) => isVisible(placed, view));
  if (layout.shape === "tree") drawTree(canvas, scene, visible);
  else drawIcicle(canvas, scene, visible);
  drawHighlights(canvas, scene);
  canvas.font = `${FONT_SIZE}px ${palette.font}`;
  canvas.textBaseline = "middle";
  if (layout.shape === "tree") labelTree(canvas, scene, visible);
  else labelIcicle(canvas, scene, visible);
  return visible.length;
}

function isVisible(placed: PlacedNode, view: View): boolean {
  const [x, top, bottom] = [view.x(placed.node.depth), view.y(placed.current[0]), view.y(placed.current[1])];
  return x > -view.pitch - 40 && x - view.pitch < view.width + 40 && bottom > -20 && top < view.height + 20;
}

const middle = (placed: PlacedNode): number => (placed.current[0] + placed.current[1]) / 2;

/** The thickness of a node's incoming edge, in pixels: grows with the node's visits, limited by its band. */
export function thickness(placed: PlacedNode, rootVisits: number, view: View): number {
  const bandHeight = view.y(placed.current[1]) - view.y(placed.current[0]);
  const byVisits = MAX_THICKNESS * Math.sqrt(placed.node.visits / Math.max(1, rootVisits));
  return Math.max(0.8, Math.min(byVisits, Math.max(1, bandHeight * 0.82)));
}

function radius(placed: PlacedNode, rootVisits: number, view: View): number {
  return Math.max(1.4, thickness(placed, rootVisits, view) * 0.5 + 0.6);
}

/** Add a node's incoming edge to the canvas path, as a line. */
function line(canvas: CanvasRenderingContext2D, placed: PlacedNode, view: View): void {
  if (!placed.parent) return;
  const [x0, x1, y0, y1] = [
    view.x(placed.parent.node.depth),
    view.x(placed.node.depth),
    view.y(middle(placed.parent)),
    view.y(middle(placed)),
  ];
  canvas.moveTo(x0, y0);
  canvas.bezierCurveTo((x0 + x1) / 2, y0, (x0 + x1) / 2, y1, x1, y1);
}

/** Add a node's incoming edge to the canvas path, as a band of its thickness. */
function band(canvas: CanvasRenderingContext2D, placed: PlacedNode, rootVisits: number, view: View): void {
  if (!placed.parent) return;
  const [x0, x1] = [view.x(placed.parent.node.depth), view.x(placed.node.depth)];
  const [y0, y1] = [view.y(middle(placed.parent)), view.y(middle(placed))];
  const half = thickness(placed, rootVisits, view) / 2;
  const bend = (x0 + x1) / 2;
  canvas.moveTo(x0, y0 - half);
  canvas.bezierCurveTo(bend, y0 - half, bend, y1 - half, x1, y1 - half);
  canvas.lineTo(x1, y1 + half);
  canvas.bezierCurveTo(bend, y1 + half, bend, y0 + half, x0, y0 + half);
}

function byColour(visible: readonly PlacedNode[]): PlacedNode[][] {
  const found: PlacedNode[][] = Array.from({ length: STEPS + 1 }, () => []);
  for (const placed of visible) found[stepOf(placed.node.valueFirst)]?.push(placed);
  return found;
}

function drawTree(
  canvas: CanvasRenderingContext2D,
  { view, palette, layout }: Scene,
  visible: readonly PlacedNode[],
): void {
  const rootVisits = layout.nodes[0]?.node.visits ?? 1;
  const colours = byColour(visible);
  canvas.globalAlpha = 0.62;
  canvas.lineWidth = 1;
  for (const [step, nodes] of colours.entries()) {
    if (nodes.length === 0) continue;
    canvas.fillStyle = canvas.strokeStyle = palette.values[step] ?? palette.line;
    const thick = nodes.filter((placed) => thickness(placed, rootVisits, view) >= MIN_BAND);
    const thin = nodes.filter((placed) => thickness(placed, rootVisits, view) < MIN_BAND);
    // Several short paths are faster than one very long path.
    for (let from = 0; from < thick.length; from += MAX_PATH_NODES) {
      canvas.beginPath();
      for (const placed of thick.slice(from, from + MAX_PATH_NODES)) band(canvas, placed, rootVisits, view);
      canvas.fill();
    }
    for (let from = 0; from < thin.length; from += MAX_PATH_NODES) {
      canvas.beginPath();
      for (const placed of thin.slice(from, from + MAX_PATH_NODES)) line(canvas, placed, view);
      canvas.stroke();
    }
  }
  canvas.globalAlpha = 1;
  for (const [step, nodes] of colours.entries()) {
    if (nodes.length === 0) continue;
    canvas.fillStyle = palette.values[step] ?? palette.line;
    canvas.beginPath();
    for (const placed of nodes) {
      const [x, y, r] = [view.x(placed.node.depth), view.y(middle(placed)), radius(placed, rootVisits, view)];
      canvas.moveTo(x + r, y);
      canvas.arc(x, y, r, 0, Math.PI * 2);
    }
    canvas.fill();
  }
  drawStubs(canvas, view, palette, visible);
}

/** The position of the stub for hidden children, below the drawn ones. */
function stubPosition(placed: PlacedNode, view: View): { y: number; space: number } {
  const [top, bottom] = [
    view.y(placed.lastChild ? placed.lastChild.current[1] : placed.current[0]),
    view.y(placed.current[1]),
  ];
  return { y: (top + bottom) / 2, space: bottom - top };
}

function drawStubs(
  canvas: CanvasRenderingContext2D,
  view: View,
  palette: Palette,
  visible: readonly PlacedNode[],
): void {
  canvas.strokeStyle = palette.quiet;
  canvas.lineWidth = 1;
  canvas.setLineDash([2, 3]);
  canvas.beginPath();
  for (const placed of visible) {
    if (!placed.lastChild || !placed.node.stub || placed.node.stub.visits === 0) continue;
    const { y, space } = stubPosition(placed, view);
    if (space < FONT_SIZE + 3) continue;
    const [x, from] = [view.x(placed.node.depth), view.y(middle(placed))];
    const end = x + view.pitch * 0.42;
    canvas.moveTo(x, from);
    canvas.bezierCurveTo(x + view.pitch * 0.2, from, x + view.pitch * 0.2, y, end, y);
  }
  canvas.stroke();
  canvas.setLineDash([]);
}

function drawIcicle(canvas: CanvasRenderingContext2D, { view, palette }: Scene, visible: readonly PlacedNode[]): void {
  for (const [step, nodes] of byColour(visible).entries()) {
    if (nodes.length === 0) continue;
    canvas.fillStyle = palette.values[step] ?? palette.line;
    canvas.beginPath();
    for (const placed of nodes) {
      const [y0, y1] = [view.y(placed.current[0]), view.y(placed.current[1])];
      const gap = y1 - y0 > 4 ? 0.5 : 0;
      canvas.rect(view.x(placed.node.depth) + 0.5, y0 + gap, view.pitch - 1, Math.max(0.35, y1 - y0 - 2 * gap));
    }
    canvas.fill();
  }
}

/** Draw the path to the selected node, the highlights, and rings around the selected and hovered nodes. */
function drawHighlights(canvas: CanvasRenderingContext2D, scene: Scene): void {
  const { layout, view, palette } = scene;
  const rootVisits = layout.nodes[0]?.node.visits ?? 1;
  const ring = (placed: PlacedNode, colour: string, width: number): void => {
    canvas.strokeStyle = colour;
    canvas.lineWidth = width;
    canvas.beginPath();
    if (layout.shape === "tree")
      canvas.arc(
        view.x(placed.node.depth),
        view.y(middle(placed)),
        radius(placed, rootVisits, view) + width,
        0,
        Math.PI * 2,
      );
    else
      canvas.rect(
        view.x(placed.node.depth) + 1,
        view.y(placed.current[0]),
        view.pitch - 2,
        Math.max(1.5, view.y(placed.current[1]) - view.y(placed.current[0])),
      );
    canvas.stroke();
  };
  const selected = scene.selected === null ? null : (layout.byKey.get(scene.selected) ?? null);
  for (let placed = selected; placed; placed = placed.parent) {
    if (layout.shape === "tree" && placed.parent) {
      canvas.strokeStyle = palette.ink;
      canvas.lineWidth = 1.5;
      canvas.beginPath();
      line(canvas, placed, view);
      canvas.stroke();
    }
  }
  for (const [key, highlight] of scene.highlights) {
    const placed = layout.byKey.get(key);
    if (!placed) continue;
    const colour = highlight === "new" || highlight === "playout" ? palette.warn : palette.accent;
    if (layout.shape === "tree" && placed.parent && scene.highlights.has(placed.parent.node.key)) {
      canvas.strokeStyle = colour;
      canvas.lineWidth = 3;
      canvas.setLineDash(highlight === "backup" ? [7, 4] : []);
      canvas.beginPath();
      line(canvas, placed, view);
      canvas.stroke();
      canvas.setLineDash([]);
    }
    ring(placed, colour, 3);
    if (highlight === "playout" && layout.shape === "tree")
      squiggle(canvas, view.x(placed.node.depth), view.y(middle(placed)), colour);
  }
  if (selected) ring(selected, palette.ink, 2.5);
  const hovered = scene.hovered === null ? null : layout.byKey.get(scene.hovered);
  if (hovered && hovered !== selected) ring(hovered, palette.ink, 1.5);
}

/** Draw a wavy line that represents a playout. */
function squiggle(canvas: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  canvas.strokeStyle = colour;
  canvas.lineWidth = 2.5;
  canvas.beginPath();
  canvas.moveTo(x + 14, y);
  for (let step = 1; step <= 36; step += 1) canvas.lineTo(x + 14 + step * 2, y + Math.sin(step * 0.9) * 5);
  canvas.stroke();
}

function valueLabel(placed: PlacedNode): string {
  return placed.node.proven ? `${percent(placed.node.value)} ${placed.node.proven}` : percent(placed.node.value);
}

function labelTree(
  canvas: CanvasRenderingContext2D,
  { view, palette, layout, highlights }: Scene,
  visible: readonly PlacedNode[],
): void {
  const rootVisits = layout.nodes[0]?.node.visits ?? 1;
  canvas.textAlign = "left";
  canvas.lineJoin = "round";
  canvas.lineWidth = 3.5;
  canvas.strokeStyle = palette.paper;
  const write = (text: string, x: number, y: number, colour: string): void => {
    canvas.strokeText(text, x, y);
    canvas.fillStyle = colour;
    canvas.fillText(text, x, y);
  };
  for (const placed of visible) {
    const bandHeight = view.y(placed.current[1]) - view.y(placed.current[0]);
    const x = view.x(placed.node.depth) + radius(placed, rootVisits, view) + 5;
    if (
      placed.node.depth > 0 &&
      highlights.get(placed.node.key) !== "playout" &&
      (bandHeight >= FONT_SIZE + 2 || highlights.has(placed.node.key))
    ) {
      const y = view.y(middle(placed));
      const twoLines = bandHeight >= 2 * FONT_SIZE + 4;
      write(placed.node.notation, x, twoLines ? y - FONT_SIZE * 0.62 : y, palette.ink);
      const numbers = `${valueLabel(placed)} · ${compactNumber(placed.node.visits)}`;
      if (twoLines) write(numbers, x, y + FONT_SIZE * 0.62, palette.quiet);
      // Nodes without drawn children have space to their right.
      if (!placed.lastChild) {
        const text = [
          twoLines ? "" : numbers,
          placed.node.stub && placed.node.stub.visits > 0 ? stubLabel(placed.node.stub) : "",
        ]
          .filter(Boolean)
          .join("   ");
        if (text)
          write(
            text,
            x + canvas.measureText(placed.node.notation).width + 10,
            twoLines ? y - FONT_SIZE * 0.62 : y,
            palette.quiet,
          );
      }
    }
    if (placed.lastChild && placed.node.stub && placed.node.stub.visits > 0) {
      const { y, space } = stubPosition(placed, view);
      if (space >= FONT_SIZE + 3)
        write(stubLabel(placed.node.stub), view.x(placed.node.depth) + view.pitch * 0.42 + 5, y, palette.quiet);
    }
  }
}

function labelIcicle(canvas: CanvasRenderingContext2D, { view, palette }: Scene, visible: readonly PlacedNode[]): void {
  canvas.textAlign = "left";
  const space = view.pitch - 14;
  for (const placed of visible) {
    const [top, bottom] = [view.y(placed.current[0]), view.y(placed.current[1])];
    if (bottom - top < FONT_SIZE + 3) continue;
    canvas.fillStyle = palette.inks[stepOf(placed.node.valueFirst)] ?? palette.ink;
    const y = Math.max(
      top + FONT_SIZE * 0.75,
      Math.min(bottom - FONT_SIZE * 0.75, (Math.max(top, 0) + Math.min(bottom, view.height)) / 2),
    );
    const name = placed.node.depth === 0 ? compactNumber(placed.node.visits) : placed.node.notation;
    const x = view.x(placed.node.depth) + 7;
    if (bottom - top >= 2 * FONT_SIZE + 6) {
      canvas.fillText(name, x, y - FONT_SIZE * 0.62, space);
      canvas.fillText(
        placed.node.depth === 0 ? "visits" : `${valueLabel(placed)} · ${compactNumber(placed.node.visits)}`,
        x,
        y + FONT_SIZE * 0.62,
        space,
      );
    } else canvas.fillText(name, x, y, space);
  }
}
