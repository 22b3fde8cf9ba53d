// The typed client: `api.POST("/api/games", { body: { game: "checkers" } })`. Shapes are generated from the server's schema.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

export const api = createClient<paths>({ baseUrl: "", credentials: "same-origin" });

/** What went wrong, with the server's own words. */
export class ApiError extends Error {
  constructor(
    readonly kind: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The data of an answer; an error of the server, or a connection that is gone, is thrown as an ApiError. */
export async function got<T>(asked: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await asked;
  } catch {
    throw new ApiError("ConnectionError", "The server cannot be reached. It will be tried again.", 0);
  }
  if (answer.response.ok) return answer.data as T;
  const said = (answer.error as Partial<Schemas["ErrorView"]> | undefined)?.error;
  throw new ApiError(said?.kind ?? "Error", said?.message ?? `The server answered ${answer.response.status}.`, answer.response.status);
}
