/** Tags in writing. */

const LONGEST = 100;

/** "club, 2024,club" is two tags. */
export function splitTags(text: string): string[] {
  const found = text.split(",").map((tag) => tag.trim().slice(0, LONGEST));
  return [...new Set(found)].filter((tag) => tag !== "").slice(0, 20);
}

/** The tags that games have, with how many of the games have each. */
export function tagCounts(games: readonly { tags: readonly string[] }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const game of games) for (const tag of game.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return counts;
}
