import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { customMedia } from "./breakpoints.ts";

const server = process.env.PLYGROUND_ADDRESS ?? "http://127.0.0.1:5050";

export default defineConfig({
  plugins: [svelte(), customMedia()],
  build: {
    outDir: "../python/plyground/server/static",
    emptyOutDir: true,
    target: "es2022",
    // The content security policy does not allow data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 120,
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { "/api": { target: server, ws: true } },
  },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
