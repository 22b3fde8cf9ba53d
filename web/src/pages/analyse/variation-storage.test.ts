import { expect, test } from "vitest";
import type { GameLine } from "./game-tree";
import { loadAnalysis, storeAnalysis } from "./variation-storage";

function emptyStorage(): Pick<Storage, "getItem" | "setItem"> {
  const entries = new Map<string, string>();
  return { getItem: (key) => entries.get(key) ?? null, setItem: (key, text) => void entries.set(key, text) };
}

const line: GameLine = {
  moves: ["11-15", "22-18", "15x22"],
  notes: { "1": { comment: "best", nags: [1] } },
  variations: { "1": [{ moves: ["23-19"], notes: {}, variations: {} }] },
};

test("a stored analysis is restored unchanged", () => {
  const storage = emptyStorage();
  storeAnalysis("record 1", "", line, storage);
  expect(loadAnalysis("record 1", storage)).toEqual(line);
  expect(loadAnalysis("record 2", storage)).toBeNull();
});

test("an analysis moves to a game's new key", () => {
  const storage = emptyStorage();
  storeAnalysis("a", "", line, storage);
  storeAnalysis("a b", "a", line, storage);
  expect(loadAnalysis("a", storage)).toBeNull();
  expect(loadAnalysis("a b", storage)).toEqual(line);
  storeAnalysis("a b", "a b", null, storage);
  expect(loadAnalysis("a b", storage)).toBeNull();
});

test("the size is bounded and the oldest analysis is dropped first", () => {
  const storage = emptyStorage();
  for (let at = 0; at < 12; at += 1) storeAnalysis(`record ${at}`, "", line, storage);
  expect(loadAnalysis("record 11", storage)).toEqual(line);
  expect(loadAnalysis("record 0", storage)).toBeNull();
  storeAnalysis("huge", "", { ...line, moves: ["x".repeat(600_000)] }, storage);
  expect(loadAnalysis("huge", storage)).toBeNull();
});

test.each(["", "{", "7", '[["a",[["x"]]]]', '[["a",{"moves":1}]]', '[["a",{"moves":[],"notes":[]}]]'])(
  "malformed storage %j is ignored",
  (text) => {
    const storage = emptyStorage();
    storage.setItem("plyground.analyses", text);
    expect(loadAnalysis("a", storage)).toBeNull();
  },
);
