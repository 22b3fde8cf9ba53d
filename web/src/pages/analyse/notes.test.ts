import { expect, test } from "vitest";
import { commandText, commentText, nagText, replaceText, toggleMark } from "./notes";

test("NAGs are shown as symbols, unknown ones as in PGN", () => {
  expect(nagText([1, 16])).toBe("!±");
  expect(nagText([44])).toBe("$44");
});

test("commands are separated from the text of a comment", () => {
  const comment = "[%clk 0:01:30] a quick reply [%eval 0.35,18]";
  expect(commentText(comment)).toBe("a quick reply");
  expect(commandText(comment)).toBe("Clock 0:01:30 · Evaluation 0.35");
});

test("changing the text keeps the commands and removes braces and line breaks", () => {
  expect(replaceText("[%clk 0:01:30] old", " new\n{text} ")).toBe("[%clk 0:01:30] new (text)");
  expect(replaceText("old", "")).toBe("");
});

test("a mark replaces the other marks of a move and can be removed", () => {
  expect(toggleMark([2, 16], 1)).toEqual([16, 1]);
  expect(toggleMark([16, 1], 1)).toEqual([16]);
});
