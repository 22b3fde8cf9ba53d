/** Which game the game switch of the top line stands on; pages read it as their game, Play changes tables with it. */

import { pageOf } from "../pages";
import { go, goQuery, route } from "./router.svelte";
import { choose, settings } from "./settings.svelte";

/** The game of the address (`?game=`), else the one chosen last. */
export function chosenGame(): string {
  return route().query.get("game") ?? settings.game;
}

/** Chooses a game: the page that is open turns to it. On Play the table changes to that game. */
export function chooseGame(game: string): void {
  choose({ game });
  const page = pageOf(route().parts);
  if (!page || page.id === "play" || page.id === "shared") go(`/?game=${encodeURIComponent(game)}`);
  else goQuery({ game });
}

/** Says which game is on the table without going anywhere: a game was opened by its address. */
export function noteGame(game: string): void {
  if (settings.game !== game) choose({ game });
}
