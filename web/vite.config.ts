import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const server = process.env.PLYGROUND_ADDRESS ?? "http://127.0.0.1:5050";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../python/plyground/server/static",
    emptyOutDir: true,
    target: "es2022",
    // Nothing is inlined as a data: address, so that the content security policy needs no exception.
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
