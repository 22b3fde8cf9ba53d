/** The library games that match the filters, with selection, tagging, and deletion that can be undone. */

import { api, unwrap, type Schemas } from "../../api/client";
import { errorText, showError, showNotice } from "../../state/notices.svelte";

export type Brief = Schemas["RecordBrief"];
export type RecordId = Brief["id"];

export interface Filters {
  game: string | null;
  agent: string | null;
  result: string | null;
  tag: string | null;
  text: string;
}

const PAGE_SIZE = 50;
/** Milliseconds during which a deletion can be undone; slightly longer than its notice is shown. */
const UNDO_TIME = 5500;

/** The timers of deletions that can still be undone, by game ID. They keep running on other pages of the site. */
const pendingDeletions = new Map<RecordId, ReturnType<typeof setTimeout>>();

/** Storage key of the IDs of games deleted on unload; the next page may load its list before they are deleted. */
const STORAGE_KEY = "plyground.deleted";
const deletedIds = new Set(takeDeletedIds());

function takeDeletedIds(): RecordId[] {
  try {
    const ids = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    return ids ? (JSON.parse(ids) as RecordId[]) : [];
  } catch {
    return [];
  }
}

function flushDeletions(): void {
  const ids = [...pendingDeletions.keys()];
  if (ids.length === 0) return;
  for (const timer of pendingDeletions.values()) clearTimeout(timer);
  pendingDeletions.clear();
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(ids));
  } catch {
    // Storage is unavailable: the next page may still list the games.
  }
  void api.POST("/api/library/delete", { body: { ids }, keepalive: true });
}
addEventListener("pagehide", flushDeletions);

function withoutDeleted(games: readonly Brief[]): Brief[] {
  return games.filter((game) => !pendingDeletions.has(game.id) && !deletedIds.has(game.id));
}

export class LibraryStore {
  games: Brief[] = $state.raw([]);
  total = $state(0);
  /** The number of games with each tag. */
  tags: Record<string, number> = $state.raw({});
  ready = $state(false);
  loading = $state(false);
  error: string | null = $state(null);
  selected: ReadonlySet<RecordId> = $state.raw(new Set());
  /** The export formats that all matching games support. */
  formats: readonly string[] = $state.raw([]);
  /** The names of all opponents, those with the most games first. */
  opponents: readonly string[] = $state.raw([]);
  /** The cursor for the next page. */
  private before: string | null = $state(null);
  private filters: Filters = { game: null, agent: null, result: null, tag: null, text: "" };
  private requests = 0;

  readonly hasMore = $derived(this.before !== null);

  /** Load the first page of matching games. */
  async load(filters: Filters): Promise<void> {
    this.filters = filters;
    this.requests += 1;
    if (this.requests === 1) void this.loadOpponents();
    const request = this.requests;
    this.loading = true;
    try {
      const page = await this.fetchPage(null);
      if (request !== this.requests) return;
      this.games = withoutDeleted(page.games);
      this.total = page.total - (page.games.length - this.games.length);
      this.before = page.before;
      this.tags = page.tags;
      this.formats = page.formats;
      this.selected = new Set([...this.selected].filter((id) => this.games.some((game) => game.id === id)));
      this.error = null;
      this.ready = true;
    } catch (error) {
      if (request === this.requests) this.error = errorText(error);
    }
    if (request === this.requests) this.loading = false;
  }

  reload(): Promise<void> {
    void this.loadOpponents();
    return this.load(this.filters);
  }

  async loadMore(): Promise<void> {
    if (this.before === null || this.loading) return;
    const request = this.requests;
    this.loading = true;
    try {
      const page = await this.fetchPage(this.before);
      if (request === this.requests) {
        this.games = [...this.games, ...withoutDeleted(page.games)];
        this.before = page.before;
      }
    } catch (error) {
      showError(error);
    }
    this.loading = false;
  }

  private fetchPage(before: string | null): Promise<Schemas["LibraryPage"]> {
    return unwrap(api.GET("/api/library", { params: { query: { ...this.filters, before, limit: PAGE_SIZE } } }));
  }

  /** Load the names of all opponents. */
  private async loadOpponents(): Promise<void> {
    try {
      this.opponents = (await unwrap(api.GET("/api/library/opponents"))).map((opponent) => opponent.name);
    } catch {
      // The list of opponents is not essential; the next load tries again.
    }
  }

  select(id: RecordId, selected: boolean): void {
    const next = new Set(this.selected);
    if (selected) next.add(id);
    else next.delete(id);
    this.selected = next;
  }

  selectAll(selected: boolean): void {
    this.selected = new Set(selected ? this.games.map((game) => game.id) : []);
  }

  /** Delete games. The deletion can be undone for a few seconds. */
  remove(ids: readonly RecordId[]): void {
    const removed = new Set(ids);
    const before = this.games;
    this.games = before.filter((game) => !removed.has(game.id));
    this.total -= before.length - this.games.length;
    this.selected = new Set([...this.selected].filter((id) => !removed.has(id)));
    const timer = setTimeout(() => {
      for (const id of ids) pendingDeletions.delete(id);
      unwrap(api.POST("/api/library/delete", { body: { ids: [...ids] } })).then(
        () => void this.reload(),
        (error: unknown) => {
          showError(error);
          void this.reload();
        },
      );
    }, UNDO_TIME);
    for (const id of ids) pendingDeletions.set(id, timer);
    const undo = (): void => {
      clearTimeout(timer);
      for (const id of ids) pendingDeletions.delete(id);
      void this.reload();
    };
    showNotice(ids.length === 1 ? "Game deleted" : `${ids.length} games deleted`, {
      action: { label: "Undo", run: undo },
    });
  }

  /** Add tags to games and remove tags from them. */
  async changeTags(ids: readonly RecordId[], add: readonly string[], remove: readonly string[]): Promise<void> {
    try {
      await unwrap(api.POST("/api/library/tags", { body: { ids: [...ids], add: [...add], remove: [...remove] } }));
    } catch (error) {
      showError(error);
    }
    await this.reload();
  }
}
