import { expect, it } from "vitest";
import { change, figure, readable } from "./names";

it("makes names readable", () => {
  expect([readable("random_share"), readable("lambda_"), readable("back-rank")]).toEqual(["Random share", "Lambda", "Back rank"]);
});
it("writes numbers in few digits", () => {
  expect([figure(0), figure(0.0034), figure(-1.257), figure(123.4)]).toEqual(["0", "0.003", "−1.26", "123"]);
});
it("writes the sign of a change", () => {
  expect([change(0.25), change(-3), change(0)]).toEqual(["+0.250", "−3.00", "0"]);
});
