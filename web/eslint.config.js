import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** The layers of `src`, from top to bottom. A folder may import from its own layer and from lower ones. */
const LAYERS = [
  ["pages"],
  ["board-page"],
  ["tree", "charts", "jobs"],
  ["parts", "frame"],
  ["board"],
  ["state"],
  ["api"],
];

/** One configuration per layer that forbids importing from higher layers and importing the list of pages. */
const layerRules = LAYERS.slice(1).map((folders, index) => ({
  files: folders.map((folder) => `src/${folder}/**`),
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            regex: `^(\\.\\./)+(${LAYERS.slice(0, index + 1)
              .flat()
              .join("|")})(/|$)`,
            message: `Dependencies point down: ${LAYERS.map((layer) => layer.join(", ")).join(" -> ")}.`,
          },
        ],
      },
    ],
  },
}));

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
      "max-len": [
        "error",
        { code: 120, ignoreUrls: true, ignorePattern: '^\\s*(\\w+: |\\w+=|)?["\\x60]?[Mm][-\\d. ]' },
      ],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      "@typescript-eslint/no-dynamic-delete": "off",
      "prefer-const": "off",
      "svelte/prefer-const": ["error", { destructuring: "all" }],
      // Reactive maps and sets are replaced, not mutated.
      "svelte/prefer-svelte-reactivity": "off",
      // Links are plain `href`s; state/router.svelte.ts handles them.
      "svelte/no-navigation-without-resolve": "off",
    },
  },
  ...layerRules,
  {
    files: ["src/pages/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "^\\.\\./[^.]",
              message: "Pages must not import from each other; move shared code to a lower layer.",
            },
          ],
        },
      ],
    },
  },
);
