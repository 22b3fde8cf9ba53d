import { expect, test } from "vitest";
import { Hold } from "./hold";

function made(): { hold: Hold; on: () => boolean } {
  let on = false;
  return { hold: new Hold(() => on, (next) => (on = next)), on: () => on };
}

test("a long press is on as long as it lasts", () => {
  const { hold, on } = made();
  hold.press(0);
  expect(on()).toBe(true);
  hold.release(900);
  expect(on()).toBe(false);
});

test("a short press is on until the next", () => {
  const { hold, on } = made();
  hold.press(0);
  hold.release(100);
  expect(on()).toBe(true);
  hold.press(5000);
  hold.release(5050);
  expect(on()).toBe(false);
});
