/** Agent specs as text, such as `mcts(simulations=800, c=1.4)`, and validation of their options. */

import type { Schemas } from "../api/client";

export type AgentFacts = Schemas["AgentFacts"];
export type AgentOption = Schemas["OptionView"];

/** A name and its options, not yet validated. */
export interface Spec {
  name: string;
  options: Readonly<Record<string, string>>;
}

/** The agents, presets and weights that specs may name. */
export interface AgentCatalog {
  readonly agents: readonly AgentFacts[];
  readonly presets: readonly Pick<Schemas["PresetView"], "name" | "agent">[];
  /** The names of the weights for the game; if omitted, any name is accepted. */
  readonly weights?: readonly string[];
  /** The names of the networks for the game; if omitted, any name is accepted. */
  readonly networks?: readonly string[];
}

const NAME = /^[a-z][a-z0-9_-]*$/;
const KEY = /^[a-z][a-z0-9_]*$/;
const VALUE = /^[\w./\\+:~@ -]+$/;
const INTEGER = /^\d{1,19}$/;
const REAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Matches the names of the weights of training runs, such as `run-3-200` for run 3 after 200 games. */
const RUN_WEIGHTS = /^run-\d+-\d+$/;
/** Options that limit the work of a search. */
const LIMITS = ["simulations", "seconds", "nodes", "depth", "playouts"];

/** Splits text at a separator outside parentheses: options at commas, lists of specs at plus signs. */
function split(text: string, separator: "," | "+"): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    depth += Number(character === "(") - Number(character === ")");
    if (character === separator && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** Parses `name` or `name(key=value, ...)`; null if the text has neither form. */
export function parseSpec(text: string): Spec | null {
  const [, rawName = "", rest] = /^([^(]*)(\(.*)?$/s.exec(text.trim()) ?? [];
  const name = rawName.trim();
  if (!NAME.test(name)) return null;
  if (rest === undefined) return { name, options: {} };
  if (!rest.endsWith(")")) return null;
  const body = rest.slice(1, -1).trim();
  const options: Record<string, string> = {};
  for (const part of body === "" ? [] : split(body, ",")) {
    const at = part.indexOf("=");
    const [key, value] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    const isValue = value.includes(")") ? split(value, "+").every(parseSpec) : VALUE.test(value);
    if (at < 0 || !KEY.test(key) || !isValue || key in options) return null;
    options[key] = value;
  }
  return { name, options };
}

export function formatSpec({ name, options }: Spec): string {
  const given = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  return given.length > 0 ? `${name}(${given.join(", ")})` : name;
}

/** A spec in which the name of a preset is replaced by its agent and options. */
export function expandPreset(spec: Spec, { presets }: Pick<AgentCatalog, "presets">): Spec {
  const preset = presets.find((one) => one.name === spec.name);
  const base = preset && parseSpec(preset.agent);
  return base ? { name: base.name, options: { ...base.options, ...spec.options } } : spec;
}

/** The error message for a value that an option does not allow, or null. An empty value means the default. */
export function optionProblem(option: AgentOption, value: string, catalog: AgentCatalog): string | null {
  const text = value.trim();
  if (text === "" || isAllowed(option, text, catalog)) return null;
  if (option.kind === "network") return `${option.name} must be one of ${catalog.networks?.join(", ") || "none"}.`;
  if (option.kind === "weights") return `${option.name} must be none or one of ${catalog.weights?.join(", ") ?? ""}.`;
  return `${option.name} must be ${option.allowed}.`;
}

function isAllowed(option: AgentOption, text: string, catalog: AgentCatalog): boolean {
  switch (option.kind) {
    case "integer":
    case "real": {
      if (!(option.kind === "integer" ? INTEGER : REAL).test(text)) return false;
      const number = Number(text);
      return number >= (option.minimum ?? -Infinity) && number <= (option.maximum ?? Infinity);
    }
    case "boolean":
      return text === "true" || text === "false";
    case "choice":
      return option.choices.includes(text);
    case "agent":
      return specProblem(text, catalog) === null;
    case "agents":
      return split(text, "+").every((one) => specProblem(one, catalog) === null);
    case "evaluator": {
      // Registered evaluators have plain names, which only the server can check.
      const spec = parseSpec(text);
      const isName = spec !== null && Object.keys(spec.options).length === 0;
      return isName || specProblem(text, catalog) === null;
    }
    case "weights":
      return !catalog.weights || text === "none" || catalog.weights.includes(text) || RUN_WEIGHTS.test(text);
    case "network":
      return !catalog.networks || catalog.networks.includes(text);
    default:
      return VALUE.test(text);
  }
}

/** The error message for a text that is not the spec of an agent or preset, or null. */
export function specProblem(text: string, catalog: AgentCatalog): string | null {
  const spec = parseSpec(text);
  if (!spec) return "Expected a name or name(option=value, option=value).";
  const expanded = expandPreset(spec, catalog);
  const { agents } = catalog;
  const agent = agents.find((one) => one.name === expanded.name);
  if (!agent) return `Unknown agent ${spec.name}. Available agents: ${agents.map((one) => one.name).join(", ")}.`;
  for (const [name, value] of Object.entries(spec.options)) {
    const option = agent.options.find((one) => one.name === name);
    const available = agent.options.map((one) => one.name).join(", ") || "none";
    const problem = option ? optionProblem(option, value, catalog) : `Unknown option ${name}. Available: ${available}.`;
    if (problem) return problem;
  }
  return null;
}

/** A spec with one option changed; an empty value removes it. */
export function withOption(spec: Spec, name: string, value: string): Spec {
  const options = { ...spec.options };
  if (value.trim() === "") delete options[name];
  else options[name] = value.trim();
  return { name: spec.name, options };
}

/** A spec of another agent that keeps the main options of `spec` whose values that agent allows. */
export function withAgent(spec: Spec, agent: AgentFacts, catalog: AgentCatalog): Spec {
  const shared = Object.entries(spec.options).filter(([name, value]) => {
    const option = agent.options.find((one) => one.name === name);
    return option?.is_main && optionProblem(option, value, catalog) === null;
  });
  return { name: agent.name, options: Object.fromEntries(shared) };
}

/** Whether a spec contains a limit on the work per move. */
export function hasLimit(text: string, catalog: AgentCatalog): boolean {
  const spec = parseSpec(text);
  return spec !== null && LIMITS.some((name) => name in expandPreset(spec, catalog).options);
}
