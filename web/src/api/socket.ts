/** The tab's WebSocket. Reconnects automatically, then renews all active subscriptions. */

import type { Schemas } from "./client";

export type ClientMessage = Schemas["ClientMessage"];
export type ServerMessage = Schemas["ServerMessage"];
export type ConnectionState = "connecting" | "open" | "lost";

/** Minimum and maximum reconnect delay in milliseconds. The delay doubles after each failed attempt. */
const MIN_RECONNECT_DELAY = 250;
const MAX_RECONNECT_DELAY = 5000;

/** The key of a message to resend after a reconnect, or null. A new message replaces one with the same key. */
function subscriptionKey(message: ClientMessage): string | null {
  switch (message.type) {
    case "subscribe":
      return `subscribe ${message.game_id ?? message.token}`;
    case "analyse":
      return `analyse ${message.id}`;
    case "tree":
      return `tree ${message.id}`;
    case "subscribe_job":
      return `job ${message.kind} ${message.key}`;
    case "hidden":
      return "hidden";
    default:
      return null;
  }
}

export class TabSocket {
  private socket: WebSocket | null = null;
  private readonly subscriptions = new Map<string, ClientMessage>();
  private readonly listeners = new Set<(message: ServerMessage) => void>();
  private readonly stateListeners = new Set<(state: ConnectionState) => void>();
  private reconnectDelay = MIN_RECONNECT_DELAY;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  state: ConnectionState = "connecting";

  constructor(
    private readonly address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/socket`,
  ) {
    document.addEventListener("visibilitychange", this.sendVisibility);
    addEventListener("online", this.reconnectNow);
    this.connect();
  }

  /** Calls the listener for every message. Returns a function that removes it. */
  listen(listener: (message: ServerMessage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls the listener with the current connection state and on every change. Returns a function that removes it. */
  listenState(listener: (state: ConnectionState) => void): () => void {
    this.stateListeners.add(listener);
    listener(this.state);
    return () => this.stateListeners.delete(listener);
  }

  send(message: ClientMessage): void {
    const key = subscriptionKey(message);
    if (message.type === "subscribe_job" && message.subscribe === false) this.subscriptions.delete(key ?? "");
    else if (key !== null) this.subscriptions.set(key, message);
    if (message.type === "unsubscribe") this.subscriptions.delete(`subscribe ${message.game_id}`);
    if (message.type === "stop") {
      this.subscriptions.delete(`analyse ${message.id}`);
      this.subscriptions.delete(`tree ${message.id}`);
    }
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.sendVisibility);
    removeEventListener("online", this.reconnectNow);
    this.socket?.close();
  }

  private connect(): void {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      this.reconnectDelay = MIN_RECONNECT_DELAY;
      this.setState("open");
      for (const message of this.subscriptions.values()) socket.send(JSON.stringify(message));
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as ServerMessage;
      if (message.type === "report" && message.final) this.subscriptions.delete(`analyse ${message.id}`);
      for (const listener of this.listeners) listener(message);
    };
    socket.onclose = () => {
      if (this.closed || this.socket !== socket) return;
      this.setState("lost");
      this.timer = setTimeout(() => this.connect(), this.reconnectDelay);
      this.reconnectDelay = Math.min(MAX_RECONNECT_DELAY, this.reconnectDelay * 2);
    };
  }

  private readonly reconnectNow = (): void => {
    if (this.state !== "lost") return;
    clearTimeout(this.timer);
    this.connect();
  };

  private readonly sendVisibility = (): void => this.send({ type: "hidden", hidden: document.hidden });

  private setState(state: ConnectionState): void {
    this.state = state;
    for (const listener of this.stateListeners) listener(state);
  }
}
