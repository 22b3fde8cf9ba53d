import { expect, test } from "vitest";
import { linesOf, loadVariations, saveVariations, type MoveBranch } from "./variation-storage";

function emptyStorage(): Pick<Storage, "getItem" | "setItem"> {
  const entries = new Map<string, string>();
  return { getItem: (key) => entries.get(key) ?? null, setItem: (key, text) => void entries.set(key, text) };
}

const branch = (move: string, ...children: MoveBranch[]): MoveBranch => ({ move, children });
const tree = [branch("11-15", branch("22-18", branch("15x22")), branch("23-19")), branch("9-13")];

test("stored variations are restored unchanged and in order", () => {
  const storage = emptyStorage();
  saveVariations("record 1", "", tree, storage);
  expect(loadVariations("record 1", storage)).toEqual(tree);
  expect(loadVariations("record 2", storage)).toEqual([]);
});

test("lines run from the start to the end of each variation", () => {
  expect(linesOf(tree)).toEqual([["11-15", "22-18", "15x22"], ["11-15", "23-19"], ["9-13"]]);
});

test("variations move to a game's new key", () => {
  const storage = emptyStorage();
  saveVariations("a", "", tree, storage);
  saveVariations("a b", "a", tree, storage);
  expect(loadVariations("a", storage)).toEqual([]);
  expect(loadVariations("a b", storage)).toEqual(tree);
  saveVariations("a b", "a b", null, storage);
  expect(loadVariations("a b", storage)).toEqual([]);
});

test("the size is bounded and the oldest analysis is dropped first", () => {
  const storage = emptyStorage();
  for (let at = 0; at < 12; at += 1) saveVariations(`record ${at}`, "", tree, storage);
  expect(loadVariations("record 11", storage)).toEqual(tree);
  expect(loadVariations("record 0", storage)).toEqual([]);
  saveVariations("huge", "", [branch("x".repeat(300_000))], storage);
  expect(loadVariations("huge", storage)).toEqual([]);
});

test("a long line with variations fits", () => {
  const storage = emptyStorage();
  let long: MoveBranch[] = [branch("a"), branch("b")];
  for (let at = 0; at < 400; at += 1) long = [branch(String(at), ...long)];
  saveVariations("long", "", long, storage);
  expect(loadVariations("long", storage)).toEqual(long);
});

test.each(["", "{", "7", '[["a",[[[["x"]]]]]]', '[["a",{"x":1}]]'])("malformed storage %j is ignored", (text) => {
  const storage = emptyStorage();
  storage.setItem("plyground.branches", text);
  expect(Array.isArray(loadVariations("a", storage))).toBe(true);
});
