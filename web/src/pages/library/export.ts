/** Downloads several games as one file, which the server writes. */

import { api, unwrap, type Schemas } from "../../api/client";

export type Format = Schemas["LibraryExportRequest"]["format"];

/** Downloads the games with the given IDs or, without IDs, all games that match the filters. */
export async function downloadGames(request: Omit<Schemas["LibraryExportRequest"], "text"> & { text?: string }) {
  const body = { text: "", ...request };
  const file = (await unwrap(api.POST("/api/library/export", { body, parseAs: "blob" }))) as Blob;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `plyground-games.${request.format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
