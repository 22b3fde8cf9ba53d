/** The server's catalog of games, levels and agents, fetched once. */

import { ApiError, api, unwrap, type Schemas } from "../api/client";

export type GameFacts = Schemas["GameFacts"];

interface CatalogState {
  games: GameFacts[];
  agents: Schemas["AgentFacts"][];
  presets: Schemas["PresetView"][];
  baselines: Schemas["BaselineView"][];
  limits: Schemas["Limits"] | null;
  version: string;
  ready: boolean;
}

const RETRY_DELAY = 1000;

export const catalog: CatalogState = $state({
  games: [],
  agents: [],
  presets: [],
  baselines: [],
  limits: null,
  version: "",
  ready: false,
});

/** Fetch the catalog, retrying every second until the server responds. */
export async function loadCatalog(): Promise<void> {
  try {
    Object.assign(catalog, await unwrap(api.GET("/api/catalog")), { ready: true });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    setTimeout(() => void loadCatalog(), RETRY_DELAY);
  }
}

/** The presets available for a game. */
export function presetsFor(game: string): Schemas["PresetView"][] {
  const id = game.split("(")[0] ?? game;
  return catalog.presets.filter((preset) => preset.games === null || preset.games.includes(id));
}

/** The facts about a game given by its spec; undefined for an unknown game or before the catalog has loaded. */
export function gameFacts(spec: string): GameFacts | undefined {
  const id = spec.split("(")[0];
  return catalog.games.find((game) => game.id === spec) ?? catalog.games.find((game) => game.id === id);
}
