/** Parsing and counting tags. */

const MAX_TAGS = 20;
const MAX_TAG_LENGTH = 100;

/** Split comma-separated tags and remove duplicates: "club, 2024,club" has two tags. */
export function splitTags(text: string): string[] {
  const tags = text.split(",").map((tag) => tag.trim().slice(0, MAX_TAG_LENGTH));
  return [...new Set(tags)].filter((tag) => tag !== "").slice(0, MAX_TAGS);
}

/** The number of games with each tag. */
export function tagCounts(games: readonly { tags: readonly string[] }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const game of games) for (const tag of game.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return counts;
}
