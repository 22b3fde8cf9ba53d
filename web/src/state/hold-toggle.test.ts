import { expect, test } from "vitest";
import { HoldToggle } from "./hold-toggle";

function createToggle(): { toggle: HoldToggle; isOn: () => boolean } {
  let on = false;
  return {
    toggle: new HoldToggle(
      () => on,
      (next) => (on = next),
    ),
    isOn: () => on,
  };
}

test("a long press turns the toggle on until released", () => {
  const { toggle, isOn } = createToggle();
  toggle.press(0);
  expect(isOn()).toBe(true);
  toggle.release(900);
  expect(isOn()).toBe(false);
});

test("a short press turns the toggle on until the next press", () => {
  const { toggle, isOn } = createToggle();
  toggle.press(0);
  toggle.release(100);
  expect(isOn()).toBe(true);
  toggle.press(5000);
  toggle.release(5050);
  expect(isOn()).toBe(false);
});
