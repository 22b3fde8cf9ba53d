/** The typed client of the API, made from its schema, and errors in words for people. */

import createClient from "openapi-fetch";
import type { components, paths } from "../api/schema";

/** The shapes of the API by their names: `Schemas["GameView"]`. */
export type Schemas = components["schemas"];

export const api = createClient<paths>({ credentials: "same-origin" });

/** What went wrong, in words that can be shown; `kind` is the server's name for it, or `offline`. */
export class ServerError extends Error {
  constructor(
    readonly kind: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

interface Answer<D> {
  data?: D;
  error?: unknown;
  response: Response;
}

function detail(body: unknown): { kind: string; message: string } | null {
  if (typeof body !== "object" || body === null || !("error" in body)) return null;
  const error = (body as { error: unknown }).error;
  if (typeof error !== "object" || error === null) return null;
  const { kind, message } = error as { kind?: unknown; message?: unknown };
  return typeof message === "string" ? { kind: String(kind), message } : null;
}

/** The data of an answer; whatever is not a success is thrown as a ServerError. */
export async function answer<D>(asked: Promise<Answer<D>>): Promise<D> {
  let found: Answer<D>;
  try {
    found = await asked;
  } catch {
    throw new ServerError("offline", "The server does not answer. Your game is kept; this goes on when it is back.", 0);
  }
  if (found.response.ok) return found.data as D;
  const known = detail(found.error);
  if (known) throw new ServerError(known.kind, known.message, found.response.status);
  throw new ServerError("unknown", `The server could not do that (${found.response.status}). Try again.`, found.response.status);
}

/** The sentence of an error to show. */
export function words(error: unknown): string {
  return error instanceof ServerError ? error.message : "Something went wrong on this page. Reload it to go on.";
}
