/** Search for VitePress, as a plugin of Vite: `vite: { plugins: [treeline()] }`. */
import { indexSite, scriptOf, type TreelineOptions } from "./build-site.ts";

interface VitePressConfig {
  readonly root: string;
  readonly outDir: string;
  readonly cleanUrls?: boolean;
  readonly site: {
    readonly base: string;
    readonly head: unknown[];
    readonly themeConfig?: { search?: unknown; algolia?: unknown };
  };
  buildEnd?: (site: VitePressConfig) => unknown;
}

/** Constants by which VitePress leaves its own search out of the scripts of pages. */
const OWN_SEARCH_OFF = { define: { __VP_LOCAL_SEARCH__: false, __ALGOLIA__: false } };

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
        const { root: dir, outDir: output, cleanUrls } = built;
        console.log(await indexSite({ dir, output, base: site.base, cleanUrls }, options));
      };
      return OWN_SEARCH_OFF;
    },
  };
}
