import { expect, test } from "vitest";
import {
  expandPreset,
  formatSpec,
  hasLimit,
  optionProblem,
  parseSpec,
  specProblem,
  withAgent,
  withOption,
  type AgentFacts,
  type AgentOption,
  type AgentCatalog,
} from "./agent-spec";

function option(name: string, kind: AgentOption["kind"], more: Partial<AgentOption> = {}): AgentOption {
  const base = { description: "", default: "", allowed: "valid", minimum: null, maximum: null, choices: [] };
  return { name, kind, is_main: true, ...base, ...more };
}

function agent(name: string, ...options: AgentOption[]): AgentFacts {
  return { name, description: "", options, games: null };
}

const simulations = option("simulations", "integer", { minimum: 1, maximum: 1e6, allowed: "a positive integer" });
const c = option("c", "real", { minimum: 0, maximum: 100, allowed: "between 0 and 100" });
const fallback = option("fallback", "agent", { allowed: "the spec of an agent" });
const mcts = agent("mcts", simulations, c, option("selection", "choice", { choices: ["uct", "puct"] }));
const catalog: AgentCatalog = {
  agents: [mcts, agent("tables", fallback, simulations), agent("random")],
  presets: [{ name: "uct", agent: "mcts(c=1.4, selection=uct)" }],
};

test("specs, including nested ones, survive parsing and formatting", () => {
  for (const text of ["random", "mcts(simulations=800, c=1.4)", "tables(fallback=mcts(c=2, simulations=5), depth=3)"])
    expect(formatSpec(parseSpec(text) ?? { name: "", options: {} })).toBe(text);
});

test("text that is not a spec is rejected", () => {
  for (const text of ["", "Hard", "mcts(", "mcts(c)", "mcts(c=1, c=2)", "mcts(c=a;b)", "tables(fallback=(x))"])
    expect(parseSpec(text), text).toBeNull();
});

test("a preset expands to its agent, and given options override those of the preset", () => {
  const spec = expandPreset({ name: "uct", options: { c: "3" } }, catalog);
  expect(formatSpec(spec)).toBe("mcts(c=3, selection=uct)");
});

test("invalid option values have an error message", () => {
  expect(optionProblem(simulations, "0", catalog)).toBe("simulations must be a positive integer.");
  expect(optionProblem(simulations, "1.5", catalog)).not.toBeNull();
  expect(optionProblem(c, "101", catalog)).toBe("c must be between 0 and 100.");
  for (const value of ["", "0", "1e1", ".5", " 2 "]) expect(optionProblem(c, value, catalog), value).toBeNull();
  expect(optionProblem(fallback, "nobody", catalog)).toBe("fallback must be the spec of an agent.");
  expect(optionProblem(fallback, "mcts(c=1)", catalog)).toBeNull();
});

test("weights must be a set of the game or the weights of a training run", () => {
  const weights = option("weights", "weights");
  const checkers = { ...catalog, weights: ["default", "best"] };
  for (const name of ["", "none", "best", "run-3-200"]) expect(optionProblem(weights, name, checkers), name).toBeNull();
  expect(optionProblem(weights, "nobody", checkers)).toBe("weights must be none or one of default, best.");
});

test("the error for an unknown agent or option lists the available names", () => {
  expect(specProblem("nobody(depth=3)", catalog)).toContain("mcts, tables, random");
  expect(specProblem("mcts(speed=3)", catalog)).toContain("simulations, c, selection");
  expect(specProblem("tables(fallback=mcts(c=-1))", catalog)).toContain("fallback");
  expect(specProblem("uct(c=2)", catalog)).toBeNull();
});

test("an empty value removes an option", () => {
  expect(formatSpec(withOption({ name: "mcts", options: { c: "1" } }, "c", ""))).toBe("mcts");
  expect(formatSpec(withOption({ name: "mcts", options: {} }, "c", " 2 "))).toBe("mcts(c=2)");
});

test("switching to another agent keeps the options that both have", () => {
  const tables = catalog.agents[1] as AgentFacts;
  expect(formatSpec(withAgent({ name: "mcts", options: { simulations: "9", c: "1" } }, tables, catalog))).toBe(
    "tables(simulations=9)",
  );
});

test("a limit may come from a preset", () => {
  const presets = [{ name: "quick", agent: "mcts(simulations=20)" }];
  expect(hasLimit("quick", { ...catalog, presets })).toBe(true);
  expect(hasLimit("mcts(c=2)", catalog)).toBe(false);
});

test("an option can take several agents joined by plus signs", () => {
  const members = option("members", "agents", { allowed: "agents" });
  const committee = { ...catalog, agents: [...catalog.agents, agent("committee", members)] };
  for (const value of ["mcts", "mcts+random", "mcts(c=1)+uct(c=2)"])
    expect(optionProblem(members, value, committee), value).toBeNull();
  expect(optionProblem(members, "mcts+nobody", committee)).toBe("members must be agents.");
  expect(specProblem("committee(members=mcts(simulations=9)+random)", committee)).toBeNull();
  expect(specProblem("committee(members=mcts(simulations=9)+)", committee)).not.toBeNull();
});
