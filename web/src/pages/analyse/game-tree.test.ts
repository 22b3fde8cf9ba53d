import { expect, test } from "vitest";
import type { Schemas } from "../../api/client";
import type { BoardView } from "../../board-page/board-controller.svelte";
import { growTree, lineFrom, lineOfTree, plainLine, promote, type GameLine } from "./game-tree";

function board(move: string, ply: number): BoardView {
  return {
    text: `after ${move}`,
    ply,
    turn: ply % 2 === 0 ? "white" : "black",
    cells: {},
    last_move: move === "" ? null : { text: move, notation: move.toUpperCase(), path: [] },
    outcome: null,
    winning_line: [],
    opening: null,
  };
}

function boardsOf(line: GameLine, ply: number): Schemas["BranchView"] {
  return {
    boards: line.moves.map((move, at) => board(move, ply + at + 1)),
    variations: Object.fromEntries(
      Object.entries(line.variations).map(([at, ones]) => [at, ones.map((one) => boardsOf(one, ply + Number(at)))]),
    ),
  };
}

const grow = (line: GameLine): ReturnType<typeof growTree> =>
  growTree(line, { game: "chess", start: board("", 0), tree: boardsOf(line, 0) });

const nested: GameLine = {
  moves: ["e4", "e5", "nf3"],
  notes: { "0": { comment: "a game", nags: [] }, "2": { comment: "solid", nags: [1, 16] } },
  variations: {
    "0": [plainLine(["d4", "d5"])],
    "1": [
      {
        moves: ["c5", "nf3", "d6"],
        notes: { "0": { comment: "or", nags: [] }, "1": { comment: "sharp", nags: [] } },
        variations: { "1": [plainLine(["c3"]), plainLine(["d4"])] },
      },
    ],
  },
};

test("a game with nested variations, comments and NAGs is unchanged by loading and saving", () => {
  expect(lineOfTree(grow(nested))).toEqual(nested);
  expect(lineOfTree(grow(nested), nested.moves)).toEqual(nested);
});

test("a variation made the main line keeps everything, and the stored moves can still be the main line", () => {
  const root = grow(nested);
  const variation = root.children[0]?.children[1];
  if (!variation) throw new Error("the variation is missing");
  promote(variation);
  expect(lineFrom(root).map((node) => node.move)).toEqual(["", "e4", "c5", "nf3", "d6"]);
  const line = lineOfTree(root);
  expect(line.notes["2"]?.comment).toBe("or sharp");
  expect(line.variations["1"]?.[0]?.moves).toEqual(["e5", "nf3"]);
  expect(lineOfTree(root, nested.moves).moves).toEqual(nested.moves);
});

test("moves after the end of the stored game are saved as a variation that repeats the last move", () => {
  const game = plainLine(["e4", "e5"]);
  const root = grow({ ...game, moves: ["e4", "e5", "nf3", "nc6"], variations: { "2": [plainLine(["f4"])] } });
  const saved = lineOfTree(root, game.moves);
  expect(saved.moves).toEqual(game.moves);
  expect(saved.variations).toEqual({
    "1": [{ moves: ["e5", "nf3", "nc6"], notes: {}, variations: { "1": [plainLine(["f4"])] } }],
  });
  expect(lineFrom(grow(saved)).map((node) => node.move)).toEqual(["", "e4", "e5", "nf3", "nc6"]);
  expect(lineOfTree(grow(saved), game.moves)).toEqual(saved);
});
