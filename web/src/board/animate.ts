/** Motion of pieces: a walk over squares, a fall, a fading. Short, and only to show what moved. */

import type { Point } from "./geometry";

const LEG = 160;
const LATER_LEG = 130;
const FALL = 180;
const FADE = 120;

const at = ({ x, y }: Point): string => `translate(${x}px, ${y}px)`;

/** How long a walk over so many squares takes, in milliseconds. */
export function walkTime(legs: number): number {
  return legs <= 1 ? LEG : legs * LATER_LEG;
}

export function walk(element: Element, points: readonly Point[]): void {
  element.animate(
    points.map((point) => ({ transform: at(point), easing: "ease-in-out" })),
    { duration: walkTime(points.length - 1) },
  );
}

export function fall(element: Element, to: Point, from: number): void {
  element.animate([{ transform: at({ x: to.x, y: from }), easing: "cubic-bezier(0.55, 0, 0.9, 0.6)" }, { transform: at(to) }], {
    duration: FALL,
  });
}

export function appear(element: Element): void {
  element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
}

/** Fades after a while; the caller takes the element away. */
export function vanish(element: Element, delay: number): void {
  element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: FADE, delay, fill: "both" });
}

export const FADE_TIME = FADE;
