/** Search for VitePress, as a plugin of Vite: `vite: { plugins: [treeline()] }`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { indexSite, partsByLanguage, scriptOf, type TreelineOptions } from "./build-site.ts";

interface VitePressConfig {
  readonly root: string;
  readonly outDir: string;
  readonly pages: readonly string[];
  readonly cleanUrls?: boolean;
  readonly site: {
    readonly base: string;
    readonly lang: string;
    readonly locales?: Readonly<Record<string, { readonly lang?: string }>>;
    readonly head: unknown[];
    readonly themeConfig?: { search?: unknown; algolia?: unknown };
  };
  buildEnd?: (site: VitePressConfig) => unknown;
}

/** The element with a page's text, in each layout of the default theme. */
const CONTENT = ".vp-doc, .VPHome, .VPPage, .VPTeamPage";

/** Constants by which VitePress leaves its own search out of the scripts of pages. */
const OWN_SEARCH_OFF = { define: { __VP_LOCAL_SEARCH__: false, __ALGOLIA__: false } };
const LOOKED_AT = 20;

/** Indexes what `vitepress build` wrote, and puts the search box where VitePress has its own search. */
export default function treeline(options: TreelineOptions = {}) {
  const seen = new WeakSet<object>();
  return {
    name: "treeline",
    apply: "build" as const,
    config(config: object) {
      const { vitepress } = config as { readonly vitepress?: VitePressConfig };
      // Vite bundles twice: for browsers, and for rendering.
      if (vitepress === undefined || seen.has(vitepress)) return OWN_SEARCH_OFF;
      seen.add(vitepress);
      const { site, buildEnd } = vitepress;
      for (const key of ["search", "algolia"] as const) delete site.themeConfig?.[key];
      site.head.push(["script", { type: "module", src: scriptOf(site.base, options, ".VPNavBarSearch") }]);
      vitepress.buildEnd = async (built) => {
        await buildEnd?.(built);
        console.log(await indexSite(await describe(built), options));
      };
      return OWN_SEARCH_OFF;
    },
  };
}

async function describe({ root, outDir, pages, cleanUrls, site }: VitePressConfig) {
  const { lang, locales = {} } = site;
  const languages = Object.entries(locales).map(([key, locale]): [string, string] =>
    key === "root" ? ["", locale.lang ?? lang] : [key, locale.lang ?? key],
  );
  return {
    dir: root,
    output: outDir,
    base: site.base,
    site: {
      ...((await hasDefaultTheme(outDir, pages)) && { root: CONTENT }),
      cleanUrls: cleanUrls === true ? ("yes" as const) : ("no" as const),
    },
    parts: partsByLanguage(new Map(languages.length > 0 ? languages : [["", lang]])),
  };
}

/** Whether the first pages are those of the default theme, or one that extends it. */
async function hasDefaultTheme(outDir: string, pages: readonly string[]): Promise<boolean> {
  const paths = pages.slice(0, LOOKED_AT).map((page) => join(outDir, page.replace(/\.md$/, ".html")));
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8").catch(() => "")));
  return texts.some((text) => text.includes('id="VPContent"'));
}
