/** Layout breakpoints, available as custom media queries: `@media (--phone)`. */

import type { Plugin } from "vite";

/** Widths and heights in pixels. Maximum widths: phones, the top bar without game titles, and tablets. */
const PHONE = 760;
const NARROW = 960;
const TABLET = 1023;
/** On screens at least this wide and at most this high, panels fit better side by side than below each other. */
const WIDE = 1320;
const LOW = 880;

export const CUSTOM_MEDIA: Readonly<Record<string, string>> = {
  "--phone": `(max-width: ${PHONE}px)`,
  "--narrow": `(max-width: ${NARROW}px)`,
  "--tablet": `(min-width: ${PHONE + 1}px) and (max-width: ${TABLET}px)`,
  "--below-desktop": `(max-width: ${TABLET}px)`,
  "--wide-and-low": `(min-width: ${WIDE}px) and (max-height: ${LOW}px)`,
  "--desktop": `(min-width: ${TABLET + 1}px)`,
};

/** Replace the custom media queries in a style sheet. Throws an error for unknown names. */
export function replaceCustomMedia(css: string): string {
  return css.replace(/(@media[^{]*)\((--[\w-]+)\)/g, (_, before: string, name: string) => {
    const query = CUSTOM_MEDIA[name];
    if (!query) throw new Error(`unknown media query ${name}; available: ${Object.keys(CUSTOM_MEDIA).join(", ")}`);
    return before + query;
  });
}

/** A Vite plugin that expands custom media queries in CSS files and Svelte components. */
export function customMedia(): Plugin {
  return {
    name: "custom-media",
    enforce: "pre",
    transform(code, id) {
      return /[.&]css($|\?)/.test(id) ? { code: replaceCustomMedia(code), map: null } : undefined;
    },
  };
}
