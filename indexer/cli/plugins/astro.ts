/** Search for Astro: an integration, and on a site of Starlight a plugin of that, which takes the place of its search. */
import { fileURLToPath } from "node:url";
import { indexSite, partsByLanguage, scriptOf, type TreelineOptions } from "./build-site.ts";

interface AstroConfig {
  readonly root: URL;
  readonly base: string;
  readonly trailingSlash?: string;
  readonly build: { readonly format?: string };
  readonly integrations?: readonly { readonly name: string }[];
  readonly i18n?: {
    readonly locales: readonly (string | { readonly path: string; readonly codes: readonly string[] })[];
    readonly defaultLocale: string;
    readonly routing?: unknown;
  };
}

interface Setup {
  readonly command: string;
  readonly config: AstroConfig;
  readonly injectScript: (stage: "head-inline", code: string) => void;
  readonly updateConfig: (config: { vite: { define: Record<string, string> } }) => unknown;
  readonly logger: { readonly warn: (text: string) => void };
}

interface StarlightSetup {
  readonly command: string;
  readonly config: { readonly head?: unknown; readonly components?: Readonly<Record<string, string>> };
  readonly astroConfig: { readonly base?: string };
  // biome-ignore lint/suspicious/noExplicitAny: Starlight's own types are not installed here.
  readonly updateConfig: (config: any) => void;
  // biome-ignore lint/suspicious/noExplicitAny: likewise.
  readonly addIntegration: (integration: any) => void;
  readonly logger: { readonly warn: (text: string) => void };
}

const STARLIGHT = "@astrojs/starlight";

/** Indexes what `astro build` wrote, and adds the search box. In `starlight({ plugins: [treeline()] })` it takes the place of Starlight's search. */
export default function treeline(options: TreelineOptions = {}) {
  let config: AstroConfig | undefined;
  let isPlugin = false;
  const integration = {
    name: "treeline",
    hooks: {
      "astro:config:setup": ({
        command,
        config: { base, integrations },
        injectScript,
        updateConfig,
        logger,
      }: Setup): void => {
        updateConfig({ vite: { define: { __TREELINE_ATTRIBUTES__: JSON.stringify(options.attributes ?? {}) } } });
        if (isPlugin || command !== "build") return;
        if (integrations?.some(({ name }) => name === STARLIGHT) === true)
          logger.warn("on a site of Starlight add treeline() to its plugins: starlight({ plugins: [treeline()] })");
        const src = JSON.stringify(scriptOf(base, options));
        injectScript(
          "head-inline",
          `document.head.append(Object.assign(document.createElement("script"),{type:"module",src:${src}}))`,
        );
      },
      "astro:config:done": (done: { readonly config: AstroConfig }): void => {
        config = done.config;
      },
      "astro:build:done": async ({
        dir,
        logger,
      }: {
        readonly dir: URL;
        readonly logger: { info: (text: string) => void };
      }) => {
        if (config !== undefined) logger.info(await indexSite(describe(config, dir), options));
      },
    },
  };
  const setUp = ({
    command,
    config: starlight,
    astroConfig,
    updateConfig,
    addIntegration,
    logger,
  }: StarlightSetup): void => {
    isPlugin = true;
    if (command !== "build") return;
    const { head = [], components = {} } = starlight;
    const isOwn = components["Search"] !== undefined;
    if (isOwn)
      logger.warn("the site has a `Search` component of its own; the search box becomes a button in the corner");
    const src = scriptOf(astroConfig.base ?? "/", options);
    updateConfig({
      pagefind: false,
      head: [...(head as unknown[]), { tag: "script", attrs: { type: "module", src } }],
      ...(!isOwn && {
        components: { ...components, Search: fileURLToPath(new URL("./search.astro", import.meta.url)) },
      }),
    });
    addIntegration(integration);
  };
  return { name: "treeline", hooks: { ...integration.hooks, "config:setup": setUp } };
}

function describe({ root, base, trailingSlash, build, i18n, integrations }: AstroConfig, dir: URL) {
  const isFlat = build.format === "file" || build.format === "preserve";
  const isStarlight = integrations?.some(({ name }) => name === STARLIGHT) === true;
  return {
    dir: fileURLToPath(root),
    output: fileURLToPath(dir),
    base,
    site: {
      ...(isStarlight && { root: "main", exclude: [".sl-anchor-link", "starlight-tabs [role=tablist]"] }),
      ...(isFlat && trailingSlash !== undefined && { cleanUrls: "yes" as const }),
    },
    parts: partsByLanguage(readLanguages(i18n)),
  };
}

function readLanguages(i18n: AstroConfig["i18n"]): ReadonlyMap<string, string> {
  if (i18n === undefined) return new Map([["", ""]]);
  const { routing } = i18n;
  const isPrefixed =
    typeof routing === "object" &&
    routing !== null &&
    "prefixDefaultLocale" in routing &&
    routing.prefixDefaultLocale === true;
  return new Map(
    i18n.locales.map((locale): [string, string] => {
      const { path, codes } = typeof locale === "string" ? { path: locale, codes: [locale] } : locale;
      const isDefault = path === i18n.defaultLocale || codes.includes(i18n.defaultLocale);
      return [isDefault && !isPrefixed ? "" : path, codes[0] ?? path];
    }),
  );
}
