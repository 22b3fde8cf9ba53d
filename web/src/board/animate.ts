/** Piece animations. Durations are in milliseconds. */

import type { Point } from "./geometry";

const SINGLE_STEP_TIME = 160;
const STEP_TIME = 130;
const FALL_TIME = 180;
const FADE_TIME = 120;

const translate = ({ x, y }: Point): string => `translate(${x}px, ${y}px)`;

/** The duration of a move with the given number of steps. */
export function moveTime(steps: number): number {
  return steps <= 1 ? SINGLE_STEP_TIME : steps * STEP_TIME;
}

/** Move a piece along a path. */
export function animateMove(element: Element, path: readonly Point[]): Animation {
  return element.animate(
    path.map((point) => ({ transform: translate(point), easing: "ease-in-out" })),
    { duration: moveTime(path.length - 1) },
  );
}

/** Drop a piece from the height `fromY`. */
export function animateFall(element: Element, to: Point, fromY: number): Animation {
  return element.animate(
    [
      { transform: translate({ x: to.x, y: fromY }), easing: "cubic-bezier(0.55, 0, 0.9, 0.6)" },
      { transform: translate(to) },
    ],
    { duration: FALL_TIME },
  );
}

export function fadeIn(element: Element): Animation {
  return element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE_TIME });
}

/** Fade out after a delay. The caller removes the element. */
export function fadeOut(element: Element, delay: number): Animation {
  return element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: FADE_TIME, delay, fill: "both" });
}
