/** Typed HTTP client; its types are generated from the server's OpenAPI schema (`make api`). */

import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

export const api = createClient<paths>({ baseUrl: "", credentials: "same-origin" });

/** A failed request. `message` is the server's error message; `status` is 0 if the server could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly kind: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

interface ApiResponse<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Returns the response data. Throws ApiError if the server returns an error or cannot be reached. */
export async function unwrap<T>(request: Promise<ApiResponse<T>>): Promise<T> {
  let result: ApiResponse<T>;
  try {
    result = await request;
  } catch {
    throw new ApiError("ConnectionError", "Cannot reach the server. Check the connection and try again.", 0);
  }
  if (result.response.ok) return result.data as T;
  const error = (result.error as Partial<Schemas["ErrorView"]> | undefined)?.error;
  throw new ApiError(
    error?.kind ?? "Error",
    error?.message ?? `The server returned status ${result.response.status}.`,
    result.response.status,
  );
}
