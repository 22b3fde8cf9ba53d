/** Draws a tree on a canvas. Shapes of one colour are one path, so that two thousand nodes are some fifty strokes of the pen. */

import { percent, short } from "../parts/numbers";
import type { Layout, Placed } from "./layout";
import { stubWords } from "./model";
import { STEPS, stepOf, type Palette } from "./palette";
import type { View } from "./view";

export type Light = "way" | "new" | "playout" | "backup";

export interface Scene {
  layout: Layout;
  view: View;
  palette: Palette;
  selected: string | null;
  hovered: string | null;
  /** Nodes that a step by step search points at. */
  lit: ReadonlyMap<string, Light>;
}

const THICKEST = 30;
const LABEL = 12;
/** Ways thinner than this are lines. */
const HAIR = 1.5;
const BATCH = 24;

/** Draws a scene; how many nodes of it are in sight. */
export function draw(canvas: CanvasRenderingContext2D, scene: Scene): number {
  const { view, palette, layout } = scene;
  canvas.clearRect(0, 0, view.width, view.height);
  canvas.lineCap = "round";
  const seen = layout.placed.filter((one) => isSeen(one, view));
  if (layout.shape === "tree") drawTree(canvas, scene, seen);
  else drawIcicle(canvas, scene, seen);
  drawLights(canvas, scene);
  canvas.font = `${LABEL}px ${palette.font}`;
  canvas.textBaseline = "middle";
  if (layout.shape === "tree") labelTree(canvas, scene, seen);
  else labelIcicle(canvas, scene, seen);
  return seen.length;
}

function isSeen(one: Placed, view: View): boolean {
  const [x, top, bottom] = [view.x(one.node.depth), view.y(one.shown[0]), view.y(one.shown[1])];
  return x > -view.pitch - 40 && x - view.pitch < view.width + 40 && bottom > -20 && top < view.height + 20;
}

const middle = (one: Placed): number => (one.shown[0] + one.shown[1]) / 2;

/** How thick the way to a node is: by its share of the root's visits, and never more than its band. */
export function thickness(one: Placed, most: number, view: View): number {
  const band = view.y(one.shown[1]) - view.y(one.shown[0]);
  const wanted = THICKEST * Math.sqrt(one.node.visits / Math.max(1, most));
  return Math.max(0.8, Math.min(wanted, Math.max(1, band * 0.82)));
}

function radius(one: Placed, most: number, view: View): number {
  return Math.max(1.4, thickness(one, most, view) * 0.5 + 0.6);
}

/** The way to a node as a line. */
function thread(canvas: CanvasRenderingContext2D, one: Placed, view: View): void {
  if (!one.parent) return;
  const [x0, x1, y0, y1] = [view.x(one.parent.node.depth), view.x(one.node.depth), view.y(middle(one.parent)), view.y(middle(one))];
  canvas.moveTo(x0, y0);
  canvas.bezierCurveTo((x0 + x1) / 2, y0, (x0 + x1) / 2, y1, x1, y1);
}

/** The same as thick as its visits. */
function ribbon(canvas: CanvasRenderingContext2D, one: Placed, most: number, view: View): void {
  if (!one.parent) return;
  const [x0, x1] = [view.x(one.parent.node.depth), view.x(one.node.depth)];
  const [y0, y1] = [view.y(middle(one.parent)), view.y(middle(one))];
  const half = thickness(one, most, view) / 2;
  const bend = (x0 + x1) / 2;
  canvas.moveTo(x0, y0 - half);
  canvas.bezierCurveTo(bend, y0 - half, bend, y1 - half, x1, y1 - half);
  canvas.lineTo(x1, y1 + half);
  canvas.bezierCurveTo(bend, y1 + half, bend, y0 + half, x0, y0 + half);
}

function byColour(seen: readonly Placed[]): Placed[][] {
  const found: Placed[][] = Array.from({ length: STEPS + 1 }, () => []);
  for (const one of seen) found[stepOf(one.node.first)]?.push(one);
  return found;
}

function drawTree(canvas: CanvasRenderingContext2D, { view, palette, layout }: Scene, seen: readonly Placed[]): void {
  const most = layout.placed[0]?.node.visits ?? 1;
  const colours = byColour(seen);
  canvas.globalAlpha = 0.62;
  canvas.lineWidth = 1;
  for (const [step, some] of colours.entries()) {
    if (some.length === 0) continue;
    canvas.fillStyle = canvas.strokeStyle = palette.values[step] ?? palette.line;
    const thick = some.filter((one) => thickness(one, most, view) >= HAIR);
    const thin = some.filter((one) => thickness(one, most, view) < HAIR);
    // Very long paths cost more than several shorter ones.
    for (let from = 0; from < thick.length; from += BATCH) {
      canvas.beginPath();
      for (const one of thick.slice(from, from + BATCH)) ribbon(canvas, one, most, view);
      canvas.fill();
    }
    for (let from = 0; from < thin.length; from += BATCH) {
      canvas.beginPath();
      for (const one of thin.slice(from, from + BATCH)) thread(canvas, one, view);
      canvas.stroke();
    }
  }
  canvas.globalAlpha = 1;
  for (const [step, some] of colours.entries()) {
    if (some.length === 0) continue;
    canvas.fillStyle = palette.values[step] ?? palette.line;
    canvas.beginPath();
    for (const one of some) {
      const [x, y, r] = [view.x(one.node.depth), view.y(middle(one)), radius(one, most, view)];
      canvas.moveTo(x + r, y);
      canvas.arc(x, y, r, 0, Math.PI * 2);
    }
    canvas.fill();
  }
  drawStubs(canvas, view, palette, seen);
}

/** Where a node's children that are not drawn would be: below those that are. */
function stubPlace(one: Placed, view: View): { y: number; room: number } {
  const [top, bottom] = [view.y(one.last ? one.last.shown[1] : one.shown[0]), view.y(one.shown[1])];
  return { y: (top + bottom) / 2, room: bottom - top };
}

function drawStubs(canvas: CanvasRenderingContext2D, view: View, palette: Palette, seen: readonly Placed[]): void {
  canvas.strokeStyle = palette.quiet;
  canvas.lineWidth = 1;
  canvas.setLineDash([2, 3]);
  canvas.beginPath();
  for (const one of seen) {
    if (!one.last || !one.node.stub || one.node.stub.visits === 0) continue;
    const { y, room } = stubPlace(one, view);
    if (room < LABEL + 3) continue;
    const [x, from] = [view.x(one.node.depth), view.y(middle(one))];
    const end = x + view.pitch * 0.42;
    canvas.moveTo(x, from);
    canvas.bezierCurveTo(x + view.pitch * 0.2, from, x + view.pitch * 0.2, y, end, y);
  }
  canvas.stroke();
  canvas.setLineDash([]);
}

function drawIcicle(canvas: CanvasRenderingContext2D, { view, palette }: Scene, seen: readonly Placed[]): void {
  for (const [step, some] of byColour(seen).entries()) {
    if (some.length === 0) continue;
    canvas.fillStyle = palette.values[step] ?? palette.line;
    canvas.beginPath();
    for (const one of some) {
      const [y0, y1] = [view.y(one.shown[0]), view.y(one.shown[1])];
      const gap = y1 - y0 > 4 ? 0.5 : 0;
      canvas.rect(view.x(one.node.depth) + 0.5, y0 + gap, view.pitch - 1, Math.max(0.35, y1 - y0 - 2 * gap));
    }
    canvas.fill();
  }
}

/** Rings around what is looked at, and the lights of a step. */
function drawLights(canvas: CanvasRenderingContext2D, scene: Scene): void {
  const { layout, view, palette } = scene;
  const most = layout.placed[0]?.node.visits ?? 1;
  const ring = (one: Placed, colour: string, width: number): void => {
    canvas.strokeStyle = colour;
    canvas.lineWidth = width;
    canvas.beginPath();
    if (layout.shape === "tree") canvas.arc(view.x(one.node.depth), view.y(middle(one)), radius(one, most, view) + width, 0, Math.PI * 2);
    else canvas.rect(view.x(one.node.depth) + 1, view.y(one.shown[0]), view.pitch - 2, Math.max(1.5, view.y(one.shown[1]) - view.y(one.shown[0])));
    canvas.stroke();
  };
  const chosen = scene.selected === null ? null : (layout.byKey.get(scene.selected) ?? null);
  for (let one = chosen; one; one = one.parent) {
    if (layout.shape === "tree" && one.parent) {
      canvas.strokeStyle = palette.ink;
      canvas.lineWidth = 1.5;
      canvas.beginPath();
      thread(canvas, one, view);
      canvas.stroke();
    }
  }
  for (const [key, light] of scene.lit) {
    const one = layout.byKey.get(key);
    if (!one) continue;
    const colour = light === "new" || light === "playout" ? palette.warn : palette.accent;
    if (layout.shape === "tree" && one.parent && scene.lit.has(one.parent.node.key)) {
      canvas.strokeStyle = colour;
      canvas.lineWidth = 3;
      canvas.setLineDash(light === "backup" ? [7, 4] : []);
      canvas.beginPath();
      thread(canvas, one, view);
      canvas.stroke();
      canvas.setLineDash([]);
    }
    ring(one, colour, 3);
    if (light === "playout" && layout.shape === "tree") squiggle(canvas, view.x(one.node.depth), view.y(middle(one)), colour);
  }
  if (chosen) ring(chosen, palette.ink, 2.5);
  const hovered = scene.hovered === null ? null : layout.byKey.get(scene.hovered);
  if (hovered && hovered !== chosen) ring(hovered, palette.ink, 1.5);
}

/** Random moves: a wavy line out of a node. */
function squiggle(canvas: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  canvas.strokeStyle = colour;
  canvas.lineWidth = 2.5;
  canvas.beginPath();
  canvas.moveTo(x + 14, y);
  for (let step = 1; step <= 36; step += 1) canvas.lineTo(x + 14 + step * 2, y + Math.sin(step * 0.9) * 5);
  canvas.stroke();
}

function words(one: Placed): string {
  return one.node.known ? `${percent(one.node.value)} ${one.node.known}` : percent(one.node.value);
}

function labelTree(canvas: CanvasRenderingContext2D, { view, palette, layout, lit }: Scene, seen: readonly Placed[]): void {
  const most = layout.placed[0]?.node.visits ?? 1;
  canvas.textAlign = "left";
  canvas.lineJoin = "round";
  canvas.lineWidth = 3.5;
  canvas.strokeStyle = palette.paper;
  const write = (text: string, x: number, y: number, colour: string): void => {
    canvas.strokeText(text, x, y);
    canvas.fillStyle = colour;
    canvas.fillText(text, x, y);
  };
  for (const one of seen) {
    const band = view.y(one.shown[1]) - view.y(one.shown[0]);
    const x = view.x(one.node.depth) + radius(one, most, view) + 5;
    if (one.node.depth > 0 && lit.get(one.node.key) !== "playout" && (band >= LABEL + 2 || lit.has(one.node.key))) {
      const y = view.y(middle(one));
      const two = band >= 2 * LABEL + 4;
      write(one.node.move, x, two ? y - LABEL * 0.62 : y, palette.ink);
      const numbers = `${words(one)} · ${short(one.node.visits)}`;
      if (two) write(numbers, x, y + LABEL * 0.62, palette.quiet);
      // A node without drawn children has room beside its name.
      if (!one.last) {
        const told = [two ? "" : numbers, one.node.stub && one.node.stub.visits > 0 ? stubWords(one.node.stub) : ""].filter(Boolean).join("   ");
        if (told) write(told, x + canvas.measureText(one.node.move).width + 10, two ? y - LABEL * 0.62 : y, palette.quiet);
      }
    }
    if (one.last && one.node.stub && one.node.stub.visits > 0) {
      const { y, room } = stubPlace(one, view);
      if (room >= LABEL + 3) write(stubWords(one.node.stub), view.x(one.node.depth) + view.pitch * 0.42 + 5, y, palette.quiet);
    }
  }
}

function labelIcicle(canvas: CanvasRenderingContext2D, { view, palette }: Scene, seen: readonly Placed[]): void {
  canvas.textAlign = "left";
  const room = view.pitch - 14;
  for (const one of seen) {
    const [top, bottom] = [view.y(one.shown[0]), view.y(one.shown[1])];
    if (bottom - top < LABEL + 3) continue;
    canvas.fillStyle = palette.inks[stepOf(one.node.first)] ?? palette.ink;
    const y = Math.max(top + LABEL * 0.75, Math.min(bottom - LABEL * 0.75, (Math.max(top, 0) + Math.min(bottom, view.height)) / 2));
    const name = one.node.depth === 0 ? short(one.node.visits) : one.node.move;
    const x = view.x(one.node.depth) + 7;
    if (bottom - top >= 2 * LABEL + 6) {
      canvas.fillText(name, x, y - LABEL * 0.62, room);
      canvas.fillText(one.node.depth === 0 ? "visits" : `${words(one)} · ${short(one.node.visits)}`, x, y + LABEL * 0.62, room);
    } else canvas.fillText(name, x, y, room);
  }
}
