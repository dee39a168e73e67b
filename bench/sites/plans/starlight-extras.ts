/** Starlight with Astro's router, and Starlight's own search on Treeline's index: Fastify's documentation. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../../test/support/temporary-folder.ts";
import { listFiles, type Site } from "../site.ts";
import { visitStarlightSearch } from "../starlight-search.ts";
import { visitSite } from "../visit.ts";

const FOUND = { query: "catch-all parser", leadsTo: "/reference/contenttypeparser" } as const;
const HEAD = `---
import { ClientRouter } from "astro:transitions";
import Default from "@astrojs/starlight/components/Head.astro";
---
<Default />
<ClientRouter />
`;

/** Pages are changed in place. */
export const starlightRouter: Site = {
  ...plan("starlight-router", "Starlight with ClientRouter", true),
  also: (page, url) => visitSite(page, url, { ...FOUND, link: "nav.sidebar a", isInPlace: true }),
};

/** The dialog of Starlight stays as it is, on an index of Treeline. */
export const starlightSearch: Site = {
  ...plan("starlight-search", "Starlight's own search", false),
  index: "pagefind",
  also: (page, url) => visitStarlightSearch(page, url, FOUND),
};

function plan(name: string, about: string, hasRouter: boolean): Site {
  return {
    name,
    about,
    packages: "starlight",
    pages: { npm: { fastify: "fastify@5.6.1" } },
    place: "header .right-group",
    async write(source, folder, script) {
      const docs = join(source, "fastify", "docs");
      const pages: Record<string, string> = {};
      for (const path of await listFiles(docs, ".md")) {
        const text = await readFile(join(docs, path), "utf8");
        const title = /^#+ +(.+)$/m.exec(text)?.[1]?.replace(/[`*<>]/g, "") ?? path;
        const body = text
          .replace(/^#+ +.+\n/m, "")
          .replace(/<h1[^>]*>[\s\S]*?<\/h1>/g, "")
          .replace(/\]\((?!https?:)[^)]+\.md[^)]*\)/g, (link) => link.toLowerCase())
          .replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1");
        pages[`src/content/docs/${path.toLowerCase()}`] = `---\ntitle: ${JSON.stringify(title.trim())}\n---\n\n${body}`;
      }
      const line = `head: [{ tag: "script", attrs: { type: "module", src: ${JSON.stringify(script)} } }],`;
      await writeFiles(folder, {
        ...pages,
        ...(hasRouter && { "src/head.astro": HEAD }),
        "astro.config.mjs": `import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

export default defineConfig({
  integrations: [
    starlight({
      title: "Fastify",
      pagefind: ${!hasRouter},
      ${hasRouter ? `${line}\n      components: { Head: "./src/head.astro" },` : ""}
    }),
  ],
});
`,
        "src/content.config.mjs": `import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
import { defineCollection } from "astro:content";

export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`,
      });
    },
    build: ["astro", "build"],
    output: "dist",
    base: "/",
  };
}
