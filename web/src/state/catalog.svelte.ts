/** What there is: games, levels and agents, fetched once. */

import { ApiError, api, got, type Schemas } from "../api/client";

export type GameFacts = Schemas["GameFacts"];

interface CatalogState {
  games: GameFacts[];
  agents: Schemas["AgentFacts"][];
  limits: Schemas["Limits"] | null;
  version: string;
  ready: boolean;
}

export const catalog: CatalogState = $state({ games: [], agents: [], limits: null, version: "", ready: false });

/** Fetches the catalog and keeps trying while the server is away. */
export async function loadCatalog(): Promise<void> {
  try {
    const found = await got(api.GET("/api/catalog"));
    Object.assign(catalog, found, { ready: true });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    setTimeout(() => void loadCatalog(), 1000);
  }
}

/** The facts of a game; undefined until the catalog is there, and for a game that it does not have. */
export function factsOf(game: string): GameFacts | undefined {
  const plain = game.split("(")[0];
  return catalog.games.find((one) => one.id === game) ?? catalog.games.find((one) => one.id === plain);
}
