import { expect, it } from "vitest";
import { formatChange, formatNumber } from "./format";

it("formats numbers with about three significant digits", () => {
  expect([formatNumber(0), formatNumber(0.0034), formatNumber(-1.257), formatNumber(123.4)]).toEqual([
    "0",
    "0.003",
    "−1.26",
    "123",
  ]);
});
it("formats changes with their sign", () => {
  expect([formatChange(0.25), formatChange(-3), formatChange(0)]).toEqual(["+0.250", "−3.00", "0"]);
});
