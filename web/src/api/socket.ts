// The one socket of a tab. What was asked for is asked again by itself after a lost connection, so the page has nothing to do then.
import type { Schemas } from "./client";

export type ClientMessage = Schemas["ClientMessage"];
export type ServerMessage = Schemas["ServerMessage"];
export type Light = "connecting" | "open" | "lost";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;

/** Under which name a wish stands: asked again under the same name, it replaces the one before. */
function wishName(message: ClientMessage): string | null {
  switch (message.type) {
    case "follow":
      return `follow ${message.game_id ?? message.token}`;
    case "analyse":
      return `analyse ${message.id}`;
    case "tree":
      return `tree ${message.id}`;
    case "follow_work":
      return `work ${message.kind} ${message.key}`;
    case "hidden":
      return "hidden";
    default:
      return null;
  }
}

export class TabSocket {
  private socket: WebSocket | null = null;
  private readonly wishes = new Map<string, ClientMessage>();
  private readonly listeners = new Set<(message: ServerMessage) => void>();
  private readonly lights = new Set<(light: Light) => void>();
  private wait = FIRST_WAIT;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  light: Light = "connecting";

  constructor(private readonly address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/socket`) {
    document.addEventListener("visibilitychange", this.tellVisibility);
    addEventListener("online", this.hurry);
    this.connect();
  }

  /** Hear every message; the answer ends it. */
  listen(listener: (message: ServerMessage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Hear of the connection's state, now and whenever it changes; the answer ends it. */
  watchLight(listener: (light: Light) => void): () => void {
    this.lights.add(listener);
    listener(this.light);
    return () => this.lights.delete(listener);
  }

  send(message: ClientMessage): void {
    const name = wishName(message);
    if (message.type === "follow_work" && message.follow === false) this.wishes.delete(name ?? "");
    else if (name !== null) this.wishes.set(name, message);
    if (message.type === "unfollow") this.wishes.delete(`follow ${message.game_id}`);
    if (message.type === "stop") {
      this.wishes.delete(`analyse ${message.id}`);
      this.wishes.delete(`tree ${message.id}`);
    }
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.tellVisibility);
    removeEventListener("online", this.hurry);
    this.socket?.close();
  }

  private connect(): void {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.show("open");
      for (const wish of this.wishes.values()) socket.send(JSON.stringify(wish));
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as ServerMessage;
      if (message.type === "report" && message.final) this.wishes.delete(`analyse ${message.id}`);
      for (const listener of this.listeners) listener(message);
    };
    socket.onclose = () => {
      if (this.closed || this.socket !== socket) return;
      this.show("lost");
      this.timer = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
    };
  }

  private readonly hurry = (): void => {
    if (this.light !== "lost") return;
    clearTimeout(this.timer);
    this.connect();
  };

  private readonly tellVisibility = (): void => this.send({ type: "hidden", hidden: document.hidden });

  private show(light: Light): void {
    this.light = light;
    for (const listener of this.lights) listener(light);
  }
}
