import { expect, it } from "vitest";
import { sampleRows, summary } from "./lines";

it("keeps every row of a short chart", () => {
  expect(sampleRows(3, 10)).toEqual([0, 1, 2]);
});
it("samples rows evenly and includes the last one", () => {
  const rows = sampleRows(1000, 50);
  expect(rows).toHaveLength(50);
  expect(rows.at(-1)).toBe(999);
  expect(new Set(rows).size).toBe(50);
});
it("describes the first and last values and the range of a line with gaps", () => {
  const line = { name: "Score", values: [null, 0.2, 0.9, null, 0.6], colour: "--chart-1" };
  expect(summary([0, 10, 20, 30, 40], [line], String, String)).toBe(
    "Score: from 0.2 at 10 to 0.6 at 40, minimum 0.2, maximum 0.9",
  );
});
it("describes a line without values", () => {
  expect(summary([0], [{ name: "Score", values: [null], colour: "--chart-1" }], String, String)).toBe("Score: no data");
});
