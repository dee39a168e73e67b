/** Plugins of generators, called as these call them: what they add to pages, and the index of what was built. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openDiskIndex } from "../../../../indexer/base/index-source.ts";
import astro from "../../../../indexer/cli/plugins/astro.ts";
import docusaurus from "../../../../indexer/cli/plugins/docusaurus.ts";
import vitepress from "../../../../indexer/cli/plugins/vitepress.ts";
import { search } from "../../../../src/core/search/search.ts";
import { ask } from "../../../support/small-corpora.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

afterEach(() => vi.unstubAllEnvs());

/** A built page: menus around its text. */
function page(lang: string, text: string, content = '<main class="vp-doc">', menu = ""): string {
  return `<!doctype html><html lang="${lang}"><head><title>${text}</title></head><body><div id="VPContent"><div>Skip to content</div>${menu}${content}<h1>${text}</h1><p>Words of ${text}.</p></main></div></body></html>`;
}

/** What Starlight puts into content that is none. */
const STARLIGHT =
  '<a class="sl-anchor-link"><span>Section intitulée</span></a><starlight-tabs><div role="tablist">Zephyr</div></starlight-tabs>';

/** Addresses of what a query finds, by collection. */
async function find(index: string, query: string): Promise<string[]> {
  const { hits } = await search(await openDiskIndex(index), ask(query));
  return hits.map(({ collection, url }) => `${collection} ${url}`).sort();
}

describe("the plugin of VitePress", () => {
  it("indexes each language of the built pages, and puts the box where its own search was", async () => {
    const root = await makeFolder({
      ".vitepress/dist/index.html": page(
        "en",
        "Lanterns",
        "<main>",
        '<nav><a href="/lamps/guide/dimming">Menu</a></nav>',
      ),
      ".vitepress/dist/guide/dimming.html": page("en", "Dimming"),
      ".vitepress/dist/de/guide/helligkeit.html": page("de", "Helligkeit"),
      ".vitepress/dist/404.html": page("en", "Dimming nowhere"),
    });
    const ended: string[] = [];
    const site = { base: "/lamps/", head: [] as unknown[], themeConfig: { search: { provider: "local" } } };
    const config = {
      ...{ root, outDir: join(root, ".vitepress/dist"), site, buildEnd: () => void ended.push("own") },
    };
    const plugin = vitepress({ attributes: { theme: "dark" } });
    expect(plugin.apply).toBe("build");
    // Vite asks twice: for browsers, and for rendering.
    for (const _ of [1, 2]) expect(plugin.config({ vitepress: config }).define.__VP_LOCAL_SEARCH__).toBe(false);
    expect(site.head).toEqual([
      ["script", { type: "module", src: "/lamps/treeline/search.js?place=.VPNavBarSearch&theme=dark" }],
    ]);
    expect(site.themeConfig).toEqual({});
    await (config.buildEnd as unknown as (built: object) => Promise<void>)(config);
    expect(ended).toEqual(["own"]);
    const index = join(config.outDir, "treeline");
    expect(await find(index, "dimming")).toEqual(["site /lamps/guide/dimming"]);
    expect(await find(index, "helligkeit")).toEqual(["site-de /lamps/de/guide/helligkeit"]);
    expect(await find(index, "skip OR menu")).toEqual([]);
    const { collections } = await openDiskIndex(index);
    expect(collections.map(({ language }) => language)).toEqual(["english", "german"]);
    expect(existsSync(join(index, "search.js"))).toBe(true);
    expect(existsSync(join(root, ".treeline"))).toBe(false);
  });

  it("ends the site's build where there is nothing to index", async () => {
    const root = await makeFolder({ "dist/a.txt": "" });
    const site = { base: "/", head: [] };
    const config = { root, outDir: join(root, "dist"), site, buildEnd: undefined as unknown };
    vitepress().config({ vitepress: config });
    await expect((config.buildEnd as (built: object) => Promise<void>)(config)).rejects.toThrow("could not index");
  });
});

describe("the integration of Astro", () => {
  it("takes the place of Starlight's search as its plugin, and indexes each language", async () => {
    const root = await makeFolder({
      "dist/guide/index.html": page("en", "Dimming", "<main>"),
      "dist/fr/guide/index.html": page("fr", "Variation", `<main>${STARLIGHT}`),
    });
    const { hooks } = astro();
    const updates: Record<string, unknown>[] = [];
    const integrations: unknown[] = [];
    const logger = { warn: (text: string) => expect(text).toBe(""), info: () => undefined };
    const shared = {
      command: "build",
      logger,
      updateConfig: (config: Record<string, unknown>) => updates.push(config),
    };
    hooks["config:setup"]({
      ...shared,
      ...{ config: { head: ["own"] }, astroConfig: { base: "/lamps" } },
      addIntegration: (integration) => integrations.push(integration),
    });
    expect(updates[0]).toMatchObject({
      pagefind: false,
      head: ["own", { tag: "script", attrs: { type: "module", src: "/lamps/treeline/search.js" } }],
    });
    const { Search } = (updates[0] as { components: Record<string, string> }).components;
    expect(existsSync(Search ?? "")).toBe(true);
    expect(integrations).toHaveLength(1);
    const config = {
      ...{ root: pathToFileURL(`${root}/`), base: "/lamps" },
      ...{ integrations: [{ name: "@astrojs/starlight" }] },
    };
    hooks["astro:config:setup"]({ ...shared, config, injectScript: () => expect.unreachable() });
    hooks["astro:config:done"]({ config });
    await hooks["astro:build:done"]({ dir: pathToFileURL(join(root, "dist/")), logger });
    expect(await find(join(root, "dist/treeline"), "dimming")).toEqual(["site /lamps/guide/"]);
    expect(await find(join(root, "dist/treeline"), "variation")).toEqual(["site-fr /lamps/fr/guide/"]);
    expect(await find(join(root, "dist/treeline"), "zephyr OR intitulée")).toEqual([]);
  });

  it("adds the box to other sites, but not while somebody edits them", () => {
    const injected: string[] = [];
    for (const command of ["dev", "build"]) {
      astro({ place: "nav" }).hooks["astro:config:setup"]({
        ...{ command, logger: { warn: () => undefined }, updateConfig: () => undefined },
        config: { root: new URL("file:///site/"), base: "/" },
        injectScript: (_, code) => injected.push(code),
      });
    }
    expect(injected).toHaveLength(1);
    expect(injected[0]).toContain('"/treeline/search.js?place=nav"');
  });
});

describe("the plugin of Docusaurus", () => {
  it("indexes the versions of the docs apart, newest first, and the rest of the site", async () => {
    vi.stubEnv("NODE_ENV", "production");
    const root = await makeFolder({
      "build/docs/dimming/index.html": page(
        "en",
        "Dimming",
        '<main><div class="theme-doc-version-badge">Version 2</div>',
      ),
      "build/docs/1.0/dimming/index.html": page("en", "Dimming", "<main>"),
      "build/blog/dimming/index.html": page("en", "Dimming", "<main>"),
      "build/blog/tags/dimming/index.html": page("en", "Dimming", "<main>"),
      "build/fr/docs/dimming/index.html": page("fr", "Dimming", "<main>"),
    });
    const plugin = docusaurus({ baseUrl: "/lamps/" });
    expect(JSON.stringify(plugin.injectHtmlTags())).toContain("/lamps/treeline/search.js?place=");
    const loadedVersions = [
      { versionName: "current", isLast: true, path: "/lamps/docs" },
      { versionName: "1.0", isLast: false, path: "/lamps/docs/1.0" },
    ];
    await plugin.postBuild({
      ...{ siteDir: root, outDir: join(root, "build"), baseUrl: "/lamps/" },
      i18n: { currentLocale: "en", locales: ["en", "fr"] },
      plugins: [{ name: "docusaurus-plugin-content-docs", options: { id: "default" }, content: { loadedVersions } }],
    });
    const index = join(root, "build/treeline");
    expect(await find(index, "dimming")).toEqual([
      "docs /lamps/docs/dimming/",
      "docs-1.0 /lamps/docs/1.0/dimming/",
      "site /lamps/blog/dimming/",
    ]);
    expect(await find(index, "badge OR version")).toEqual([]);
    const { collections } = await openDiskIndex(index);
    expect(collections.map(({ version }) => version)).toEqual(["current", "1.0", ""]);
  });

  it("adds nothing to pages while somebody edits them", () => {
    vi.stubEnv("NODE_ENV", "development");
    expect(docusaurus({ baseUrl: "/" }).injectHtmlTags()).toEqual({});
  });
});
