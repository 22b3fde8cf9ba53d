/** Component access to the tab's WebSocket: connection state, messages by type, subscriptions. */

import { TabSocket, type ClientMessage, type ConnectionState, type ServerMessage } from "../api/socket";

/** `session` counts successful connections; reading it in an effect reruns the effect after every reconnect. */
export const connection = $state({ state: "connecting" as ConnectionState, session: 0 });

const socket = new TabSocket();
socket.listenState((state) => {
  if (state === "open") connection.session += 1;
  connection.state = state;
});

/** Send a message. Subscriptions and searches are sent again after a reconnect. */
export function send(message: ClientMessage): void {
  socket.send(message);
}

/** Send `start`; the returned function sends `end`. For `$effect(() => sendWhileMounted(...))`. */
export function sendWhileMounted(start: ClientMessage, end: ClientMessage): () => void {
  socket.send(start);
  return () => socket.send(end);
}

/** Calls the handler for each message of a type. Returns a function that removes it. */
export function listen<T extends ServerMessage["type"]>(
  type: T,
  handler: (message: Extract<ServerMessage, { type: T }>) => void,
): () => void {
  return socket.listen((message) => {
    if (message.type === type) handler(message as Extract<ServerMessage, { type: T }>);
  });
}
