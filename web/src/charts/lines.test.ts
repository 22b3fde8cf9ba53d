import { expect, it } from "vitest";
import { evenRows, summary } from "./lines";

const say = (value: number): string => String(value);

it("keeps every row of a short chart", () => {
  expect(evenRows(3, 10)).toEqual([0, 1, 2]);
});
it("chooses rows evenly and keeps the last", () => {
  const rows = evenRows(1000, 50);
  expect(rows).toHaveLength(50);
  expect(rows.at(-1)).toBe(999);
  expect(new Set(rows).size).toBe(50);
});
it("tells where a line begins and ends, past gaps", () => {
  const line = { name: "Score", values: [null, 0.2, 0.9, null, 0.6], colour: "--chart-1" };
  expect(summary([0, 10, 20, 30, 40], [line], say, say)).toBe("Score: from 0.2 at 10 to 0.6 at 40, lowest 0.2, highest 0.9");
});
it("says so where nothing is known", () => {
  expect(summary([0], [{ name: "Score", values: [null], colour: "--chart-1" }], say, say)).toBe("Score: nothing yet");
});
