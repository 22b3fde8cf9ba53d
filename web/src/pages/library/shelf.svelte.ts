/** The visitor's games as the page has them: those that fit the filters, chosen ones, and those being thrown away. */

import { api, got, type Schemas } from "../../api/client";
import { fault, notice, words } from "../../state/notices.svelte";
import { HUMAN } from "./results";

export type Brief = Schemas["RecordBrief"];

export interface Filters {
  game: string | null;
  agent: string | null;
  result: string | null;
  tag: string | null;
  text: string;
}

const PAGE = 50;
const FULL_PAGE = 200;
/** So many games are looked through for names. */
const MOST = 5000;
/** How long a deletion can be undone; a little longer than its notice is shown. */
const UNDO_TIME = 5500;

/** Games whose deletion can still be undone; the page may be left meanwhile. */
const leaving = new Map<number, ReturnType<typeof setTimeout>>();

/** Where a page that is left tells the next one which games it asked to delete: their list may be faster than that. */
const GONE = "plyground.deleted";
const gone = new Set(told());

function told(): number[] {
  try {
    const ids = sessionStorage.getItem(GONE);
    sessionStorage.removeItem(GONE);
    return ids ? ids.split(",").map(Number) : [];
  } catch {
    return [];
  }
}

function flush(): void {
  const ids = [...leaving.keys()];
  if (ids.length === 0) return;
  for (const timer of leaving.values()) clearTimeout(timer);
  leaving.clear();
  try {
    sessionStorage.setItem(GONE, ids.join());
  } catch {
    // Storage is closed: the next page may show them once more.
  }
  void api.POST("/api/library/delete", { body: { ids }, keepalive: true });
}
addEventListener("pagehide", flush);

function staying(games: readonly Brief[]): Brief[] {
  return games.filter((game) => !leaving.has(game.id) && !gone.has(game.id));
}

export class Shelf {
  games: Brief[] = $state.raw([]);
  total = $state(0);
  tags: Record<string, number> = $state.raw({});
  ready = $state(false);
  loading = $state(false);
  trouble: string | null = $state(null);
  chosen: ReadonlySet<number> = $state.raw(new Set());
  /** Who the visitor has met, as far as the games have been looked at. */
  players: readonly string[] = $state.raw([]);
  private metAll = false;
  private before: number | null = $state(null);
  private filters: Filters = { game: null, agent: null, result: null, tag: null, text: "" };
  private asked = 0;

  readonly more = $derived(this.before !== null);

  /** Shows the games that fit. */
  async show(filters: Filters): Promise<void> {
    this.filters = filters;
    this.asked += 1;
    const asked = this.asked;
    this.loading = true;
    try {
      const page = await this.fetch(null);
      if (asked !== this.asked) return;
      this.games = staying(page.games);
      this.total = page.total - (page.games.length - this.games.length);
      this.before = page.before;
      this.tags = page.tags;
      this.meet(page.games);
      this.chosen = new Set([...this.chosen].filter((id) => this.games.some((game) => game.id === id)));
      this.trouble = null;
      this.ready = true;
    } catch (error) {
      if (asked === this.asked) this.trouble = words(error);
    }
    if (asked === this.asked) this.loading = false;
  }

  again(): Promise<void> {
    return this.show(this.filters);
  }

  async showMore(): Promise<void> {
    if (this.before === null || this.loading) return;
    const asked = this.asked;
    this.loading = true;
    try {
      const page = await this.fetch(this.before);
      if (asked === this.asked) {
        this.games = [...this.games, ...staying(page.games)];
        this.before = page.before;
      }
    } catch (error) {
      fault(error);
    }
    this.loading = false;
  }

  private fetch(before: number | null): Promise<Schemas["LibraryPage"]> {
    return got(api.GET("/api/library", { params: { query: { ...this.filters, before, limit: PAGE } } }));
  }

  /** Looks through all games for names, once: for the list of opponents. */
  async meetAll(): Promise<void> {
    if (this.metAll) return;
    this.metAll = true;
    try {
      let before: number | null = null;
      for (let seen = 0; seen < MOST; seen += FULL_PAGE) {
        const page: Schemas["LibraryPage"] = await got(api.GET("/api/library", { params: { query: { before, limit: FULL_PAGE } } }));
        this.meet(page.games);
        before = page.before;
        if (before === null) return;
      }
    } catch {
      this.metAll = false;
    }
  }

  private meet(games: readonly Brief[]): void {
    const names = games.flatMap((game) => Object.values(game.players)).filter((name) => name !== "" && name !== HUMAN);
    const all = new Set([...this.players, ...names]);
    if (all.size > this.players.length) this.players = [...all];
  }

  choose(id: number, chosen: boolean): void {
    const next = new Set(this.chosen);
    if (chosen) next.add(id);
    else next.delete(id);
    this.chosen = next;
  }

  chooseAll(chosen: boolean): void {
    this.chosen = new Set(chosen ? this.games.map((game) => game.id) : []);
  }

  /** Takes games off the shelf; for a few seconds they can be put back. */
  remove(ids: readonly number[]): void {
    const gone = new Set(ids);
    const before = this.games;
    this.games = before.filter((game) => !gone.has(game.id));
    this.total -= before.length - this.games.length;
    this.chosen = new Set([...this.chosen].filter((id) => !gone.has(id)));
    const timer = setTimeout(() => {
      for (const id of ids) leaving.delete(id);
      got(api.POST("/api/library/delete", { body: { ids: [...ids] } })).then(
        () => void this.again(),
        (error: unknown) => {
          fault(error);
          void this.again();
        },
      );
    }, UNDO_TIME);
    for (const id of ids) leaving.set(id, timer);
    const restore = (): void => {
      clearTimeout(timer);
      for (const id of ids) leaving.delete(id);
      void this.again();
    };
    notice(ids.length === 1 ? "The game was deleted" : `${ids.length} games were deleted`, { action: { words: "Undo", run: restore } });
  }

  /** Gives tags to games and takes others away. */
  async retag(ids: readonly number[], add: readonly string[], remove: readonly string[]): Promise<void> {
    for (const id of ids) {
      const game = this.games.find((one) => one.id === id);
      if (!game) continue;
      const tags = [...new Set([...game.tags.filter((tag) => !remove.includes(tag)), ...add])];
      try {
        const record = await got(api.PUT("/api/library/{record_id}/tags", { params: { path: { record_id: id } }, body: { tags } }));
        this.games = this.games.map((one) => (one.id === id ? { ...one, tags: record.tags } : one));
      } catch (error) {
        fault(error);
        break;
      }
    }
    await this.again();
  }
}
