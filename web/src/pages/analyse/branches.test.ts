import { expect, test } from "vitest";
import { keepBranches, keptBranches, lines, type Twig } from "./branches";

function room(): Pick<Storage, "getItem" | "setItem"> {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => void kept.set(key, text) };
}

const twig = (move: string, ...after: Twig[]): Twig => ({ move, after });
const tree = [twig("11-15", twig("22-18", twig("15x22")), twig("23-19")), twig("9-13")];

test("branches are found again as they were, in their order", () => {
  const here = room();
  keepBranches("record 1", "", tree, here);
  expect(keptBranches("record 1", here)).toEqual(tree);
  expect(keptBranches("record 2", here)).toEqual([]);
});

test("every line of the branches is told from its start", () => {
  expect(lines(tree)).toEqual([["11-15", "22-18", "15x22"], ["11-15", "23-19"], ["9-13"]]);
});

test("an address that goes on takes its branches along", () => {
  const here = room();
  keepBranches("a", "", tree, here);
  keepBranches("a b", "a", tree, here);
  expect(keptBranches("a", here)).toEqual([]);
  expect(keptBranches("a b", here)).toEqual(tree);
  keepBranches("a b", "a b", null, here);
  expect(keptBranches("a b", here)).toEqual([]);
});

test("what is kept is bounded, and the oldest goes first", () => {
  const here = room();
  for (let at = 0; at < 12; at += 1) keepBranches(`record ${at}`, "", tree, here);
  expect(keptBranches("record 11", here)).toEqual(tree);
  expect(keptBranches("record 0", here)).toEqual([]);
  keepBranches("huge", "", [twig("x".repeat(300_000))], here);
  expect(keptBranches("huge", here)).toEqual([]);
});

test("a long line with branches fits", () => {
  const here = room();
  let long: Twig[] = [twig("a"), twig("b")];
  for (let at = 0; at < 400; at += 1) long = [twig(String(at), ...long)];
  keepBranches("long", "", long, here);
  expect(keptBranches("long", here)).toEqual(long);
});

test("nonsense in the storage is no branches", () => {
  for (const text of ["", "{", "7", '[["a",[[[["x"]]]]]]', '[["a",{"x":1}]]']) {
    const here = room();
    here.setItem("plyground.branches", text);
    expect(Array.isArray(keptBranches("a", here))).toBe(true);
  }
});
