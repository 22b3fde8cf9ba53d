/** The socket of this tab for components: its light as state, messages by type, and wishes that end with a component. */

import { TabSocket, type ClientMessage, type Light, type ServerMessage } from "../api/socket";

/** `session` counts connections made, so that a page can see that the server came back. */
export const connection = $state({ state: "connecting" as Light, session: 0 });

const socket = new TabSocket();
socket.watchLight((light) => {
  if (light === "open") connection.session += 1;
  // The first attempt of a tab is not yet a loss.
  connection.state = light;
});

/** Sends a message; what lasts (following, analysing) is asked again by itself after a lost connection. */
export function send(message: ClientMessage): void {
  socket.send(message);
}

/** Sends a wish, and `release` when the returned function is called; made for `$effect(() => hold(...))`. */
export function hold(message: ClientMessage, release: ClientMessage): () => void {
  socket.send(message);
  return () => socket.send(release);
}

/** Calls the handler with each message of a type until the returned function is called. */
export function listen<T extends ServerMessage["type"]>(
  type: T,
  handler: (message: Extract<ServerMessage, { type: T }>) => void,
): () => void {
  return socket.listen((message) => {
    if (message.type === type) handler(message as Extract<ServerMessage, { type: T }>);
  });
}
