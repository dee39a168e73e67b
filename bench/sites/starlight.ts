/**
 * A site of Starlight, with the search box in one line of its configuration, or with what Starlight itself has for search.
 */
import type { MarkdownPage, SitePlan } from "./site.ts";

/** Versions that are proved. */
const PACKAGES = { astro: "7.3.5", "@astrojs/starlight": "0.42.4" } as const;

/** How the site searches and moves. */
export interface StarlightOptions {
  /** Address of the search box; Starlight's own search where there is none. */
  readonly script?: string;
  /** Pages are changed in place, with Astro's `ClientRouter`. */
  readonly hasRouter?: boolean;
}

/** Head of each page with Astro's router in it. */
const HEAD = `---
import { ClientRouter } from "astro:transitions";
import Default from "@astrojs/starlight/components/Head.astro";
---
<Default />
<ClientRouter />
`;

/** The site. */
export function planStarlight(
  pages: readonly MarkdownPage[],
  { script, hasRouter = false }: StarlightOptions = {},
): SitePlan {
  const line =
    script === undefined ? "" : `{ tag: "script", attrs: { type: "module", src: ${JSON.stringify(script)} } }`;
  return {
    packages: PACKAGES,
    files: {
      "astro.config.mjs": `import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

export default defineConfig({
  integrations: [
    starlight({
      title: "Proof",
      pagefind: ${script === undefined},
      head: [${line}],
      ${hasRouter ? 'components: { Head: "./src/head.astro" },' : ""}
    }),
  ],
});
`,
      "src/content.config.mjs": `import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
import { defineCollection } from "astro:content";

export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`,
      ...(hasRouter && { "src/head.astro": HEAD }),
      ...Object.fromEntries(
        pages.map(({ path, title, body }) => [
          `src/content/docs/${path}`,
          `---\ntitle: ${JSON.stringify(title)}\n---\n\n${body}`,
        ]),
      ),
    },
    build: ["astro", "build"],
    output: "dist",
  };
}
