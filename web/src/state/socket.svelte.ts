/**
 * The one WebSocket of this tab: commands out, live reports in. It comes back by itself after a break, says again what
 * the pages hold on to, and drops reports that were overtaken.
 */

import type { Schemas } from "./server";

export type Outgoing =
  | Schemas["Hidden"]
  | Schemas["Follow"]
  | Schemas["Unfollow"]
  | Schemas["Analyse"]
  | Schemas["Stop"]
  | Schemas["WatchTree"]
  | Schemas["Step"]
  | Schemas["FollowWork"];

/** Messages by their `type`. */
export interface Incoming {
  game: Schemas["GameMessage"];
  report: Schemas["ReportMessage"];
  tree: Schemas["TreeMessage"];
  iteration: Schemas["IterationMessage"];
  work: Schemas["WorkMessage"];
  gone: Schemas["GoneMessage"];
  busy: Schemas["BusyMessage"];
  error: Schemas["ErrorMessage"];
}

export type Connection = "connecting" | "open" | "lost";

/** `tries` counts failures in a row; `session` counts connections made, so that a page can see that it came back. */
export const connection = $state({ state: "connecting" as Connection, tries: 0, session: 0 });

type Handler = (message: never) => void;

const PATH = "/api/socket";
const WAITS = [250, 500, 1000, 2000, 4000];
const handlers = new Map<string, Set<Handler>>();
const held = new Map<string, Outgoing>();
const latest = new Map<string, number>();
let socket: WebSocket | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Opens the connection; called once when the page starts. */
export function connect(): void {
  clearTimeout(timer);
  timer = undefined;
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const opening = new WebSocket(`${scheme}://${location.host}${PATH}`);
  socket = opening;
  opening.onopen = () => {
    latest.clear();
    connection.state = "open";
    connection.tries = 0;
    connection.session += 1;
    write({ type: "hidden", hidden: document.hidden });
    for (const message of held.values()) write(message);
  };
  opening.onmessage = (event: MessageEvent<unknown>) => {
    if (typeof event.data === "string") take(event.data);
  };
  opening.onclose = () => {
    if (socket !== opening) return;
    connection.tries += 1;
    connection.state = connection.tries > 1 || connection.session > 0 ? "lost" : "connecting";
    const wait = WAITS[Math.min(connection.tries - 1, WAITS.length - 1)] ?? 4000;
    timer = setTimeout(connect, wait);
  };
}

function take(text: string): void {
  let message: Incoming[keyof Incoming];
  try {
    message = JSON.parse(text) as Incoming[keyof Incoming];
  } catch {
    return;
  }
  // Numbers count the messages of one connection: an older one was overtaken.
  const stream = `${message.type} ${"id" in message ? message.id : ""}`;
  if (message.sequence < (latest.get(stream) ?? 0)) return;
  latest.set(stream, message.sequence);
  for (const handler of handlers.get(message.type) ?? []) handler(message as never);
}

function write(message: Outgoing): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(message));
  return true;
}

/** Sends a command once; false where there is no connection just now. */
export function send(message: Outgoing): boolean {
  return write(message);
}

/**
 * Sends a command now and again after every break, until the returned function is called, which sends `release`.
 * A second command under the same key replaces the first.
 */
export function hold(key: string, message: Outgoing, release?: Outgoing): () => void {
  held.set(key, message);
  write(message);
  return () => {
    if (held.get(key) !== message) return;
    held.delete(key);
    if (release) write(release);
  };
}

/** Calls the handler with each message of a type until the returned function is called. */
export function listen<T extends keyof Incoming>(type: T, handler: (message: Incoming[T]) => void): () => void {
  const set = handlers.get(type) ?? new Set<Handler>();
  handlers.set(type, set);
  set.add(handler as Handler);
  return () => set.delete(handler as Handler);
}

document.addEventListener("visibilitychange", () => {
  write({ type: "hidden", hidden: document.hidden });
  if (!document.hidden && connection.state === "lost") connect();
});
addEventListener("online", connect);
