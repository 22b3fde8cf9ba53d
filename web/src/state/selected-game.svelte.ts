/** The game selected in the top bar. */

import { go, goQuery, route } from "./router.svelte";
import { settings, updateSettings } from "./settings.svelte";

/** The game in the URL (`?game=`) or, without one, the last game selected. */
export function selectedGame(): string {
  return route().query.get("game") ?? settings.game;
}

/** Select a game on the current page. */
export function selectGame(game: string): void {
  updateSettings({ game });
  goQuery({ game });
}

/** Select a game and open it on the Play page. */
export function playGame(game: string): void {
  updateSettings({ game });
  go(`/?game=${encodeURIComponent(game)}`);
}

/** Remember the game of a page that was opened by URL. */
export function rememberGame(game: string): void {
  if (settings.game !== game) updateSettings({ game });
}
