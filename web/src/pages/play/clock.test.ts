import { expect, test } from "vitest";
import { clockTime } from "./clock";

test("a clock shows tenths below ten seconds and hours from one hour on", () => {
  expect(clockTime(-1)).toBe("0:00.0");
  expect(clockTime(4.25)).toMatch(/^0:04\.[23]$/);
  expect(clockTime(750)).toBe("12:30");
  expect(clockTime(3605)).toBe("1:00:05");
});
