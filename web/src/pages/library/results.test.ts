import { expect, it } from "vitest";
import { timeAgo } from "../../parts/dates";
import { playerName, result } from "./results";

const outcome = (winner: string | null): { winner: string | null; reason: string; text: string } => ({
  winner,
  reason: "line",
  text: "",
});

it("describes a result from the user's point of view", () => {
  const players = { black: "human", white: "Medium" };
  expect(result({ players, outcome: outcome("black") })).toEqual({ kind: "won", label: "You won" });
  expect(result({ players, outcome: outcome("white") })).toEqual({ kind: "lost", label: "You lost" });
  expect(result({ players, outcome: outcome(null) }).kind).toBe("draw");
  expect(result({ players, outcome: null }).kind).toBe("open");
});
it("names the winning side if the user played neither or both", () => {
  const both = { players: { x: "human", o: "human" }, outcome: outcome("o") };
  expect(result(both).label).toBe("O won");
  expect([playerName(both, "x"), playerName(both, "o")]).toEqual(["X", "O"]);
  expect(playerName({ players: { x: "human", o: "Easy" }, outcome: null }, "x")).toBe("You");
});
it("formats the time since a date", () => {
  const now = new Date("2024-05-20T12:00:00Z");
  expect(timeAgo("2024-05-20T11:59:30Z", now)).toBe("just now");
  expect(timeAgo("2024-05-20T11:48:00Z", now)).toBe("12 min ago");
  expect(timeAgo("2024-05-20T09:00:00Z", now)).toBe("3 h ago");
  expect(timeAgo("2024-05-01T09:00:00Z", now)).toBe("1 May");
  expect(timeAgo("2023-05-01T09:00:00Z", now)).toBe("1 May 2023");
});
