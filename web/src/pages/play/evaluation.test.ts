import { expect, it } from "vitest";
import type { GameView } from "../../board-page/board-controller.svelte";
import type { Analysis } from "../../board-page/engine.svelte";
import { playEvaluation } from "./evaluation";

const sides = ["red", "yellow"];
const move = (text: string, side: string, value: number | null) => ({ text, side, value_first: value });
const game = {
  your_side: "red",
  seats: { red: { name: "You" }, yellow: { name: "Easy" } },
  moves: [move("4", "red", null), move("4", "yellow", 0.4), move("3", "red", null), move("1", "yellow", 0.45)],
} as unknown as GameView;
const exact = { result: "loss", distance: 9, source: "solver" };
const opponent = {
  ply: 3,
  turn: "yellow",
  value_first: 0.45,
  proven: null,
  distance: null,
  exact: { result: "draw", distance: null, source: "solver" },
  moves: [{ move: "1", exact }],
} as unknown as Analysis;
const engine = { ...opponent, ply: 4, turn: "red", value_first: 0.8, exact: null, moves: [] } as unknown as Analysis;
const withoutExact = { ...opponent, exact: null, moves: [] } as unknown as Analysis;

it("shows the exact value of the move played, not of the position before it", () => {
  expect(playEvaluation(game, 4, sides, { engine, opponent })).toEqual({
    value: 1,
    source: "Exact",
    result: "Red wins in 8 plies",
  });
});
it("prefers the engine to the opponent", () => {
  expect(playEvaluation(game, 4, sides, { engine, opponent: withoutExact })).toMatchObject({
    value: 0.8,
    source: "Engine",
  });
});
it("names the opponent as the source of its evaluation", () => {
  expect(playEvaluation(game, 4, sides, { engine: null, opponent: withoutExact })).toMatchObject({
    value: 0.45,
    source: "Easy",
  });
});
it("ignores the engine's analysis of an earlier position", () => {
  const earlier = { ...engine, ply: 2 } as Analysis;
  expect(playEvaluation(game, 4, sides, { engine: earlier, opponent: null })?.source).toBe("Easy");
});
it("keeps the evaluation before a move that was played without a search", () => {
  const forced = { ...game, moves: [...game.moves.slice(0, 3), move("1", "yellow", null)] } as unknown as GameView;
  const unsearched = { ...withoutExact, value_first: null } as Analysis;
  expect(playEvaluation(forced, 4, sides, { engine: null, opponent: unsearched })?.value).toBe(0.4);
  expect(playEvaluation(game, 0, sides, { engine: null, opponent: null })).toBeNull();
});
