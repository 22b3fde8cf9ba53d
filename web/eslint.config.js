import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["node_modules/", "src/api/schema.d.ts", "public/"] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig } },
  },
  {
    rules: {
      "max-lines": ["error", 400],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      "@typescript-eslint/no-dynamic-delete": "off",
      "prefer-const": "off",
      "svelte/prefer-const": ["error", { destructuring: "all" }],
      // Maps and sets here are not shown; what is shown is state.
      "svelte/prefer-svelte-reactivity": "off",
      // The router is our own: links are written with `href` of router.svelte.ts.
      "svelte/no-navigation-without-resolve": "off",
    },
  },
);
