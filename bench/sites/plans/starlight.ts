/** Starlight in five languages: its own documentation. */
import { cp, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../../test/support/temporary-folder.ts";
import type { Site } from "../site.ts";

const LANGUAGES = ["de", "es", "fr", "ja"];
/** Languages of the documentation that are left out. */
const OTHERS = ["da", "fa", "hi", "id", "it", "ko", "pt-br", "pt-pt", "ru", "tr", "uk", "zh-cn"];

/** The site. */
export const starlight: Site = {
  name: "starlight",
  about: "Starlight, five languages",
  pages: { folder: "a checkout of github.com/withastro/starlight" },
  hasPlugin: true,
  async write(source, folder) {
    for (const part of ["public", "src", "grammars", "tsconfig.json"]) {
      await cp(join(source, "docs", part), join(folder, part), { recursive: true });
    }
    // Pages show a file of an example, and parts of the package, which are beside their own folder.
    for (const part of ["examples/basics", "packages/starlight"]) {
      await cp(join(source, part), join(folder, "..", part), { recursive: true });
    }
    await symlink(join(folder, "node_modules"), join(folder, "../node_modules")).catch(() => undefined);
    for (const part of OTHERS) await rm(join(folder, "src/content/docs", part), { recursive: true, force: true });
    const locales = ["root", ...LANGUAGES].map((name) => {
      const lang = name === "root" ? "en" : name;
      return `${JSON.stringify(name)}: { label: ${JSON.stringify(lang)}, lang: ${JSON.stringify(lang)} }`;
    });
    await writeFiles(folder, {
      "astro.config.mjs": `import { defineConfig } from "astro/config";
import starlight from "@astrojs/starlight";
import treeline from "treeline/astro";
import markdocGrammar from "./grammars/markdoc.tmLanguage.json";

export const locales = { ${locales.join(", ")} };

export default defineConfig({
  site: "https://starlight.astro.build/",
  trailingSlash: "always",
  integrations: [
    starlight({
      title: "Starlight",
      plugins: [treeline()],
      customCss: ["./src/assets/landing.css"],
      locales,
      sidebar: [
        { label: "Start Here", items: ["getting-started", "manual-setup", "environmental-impact"] },
        ...["guides", "components", "reference", "resources"].map((directory) => ({
          label: directory,
          items: [{ autogenerate: { directory } }],
        })),
      ],
      expressiveCode: { shiki: { langs: [markdocGrammar] } },
    }),
  ],
});
`,
    });
  },
  build: ["astro", "build"],
  output: "dist",
  base: "/",
  // As in the pages that Starlight writes for it.
  pagefind: ["--root-selector", "main"],
  visit: {
    start: "getting-started/",
    query: "sidebar",
    page: "guides/sidebar/",
    dark: ["starlight-theme-select select"],
    scopes: [
      { kind: "language", start: "de/getting-started/", query: "astro", within: /^\/de\// },
      { kind: "language", start: "fr/getting-started/", query: "configuration", within: /^\/fr\// },
    ],
  },
};
