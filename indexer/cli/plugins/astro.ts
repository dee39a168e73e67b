/** Search for Astro: an integration, and on a site of Starlight a plugin of that, which takes the place of its search. */
import { fileURLToPath } from "node:url";
import { indexSite, scriptOf, type TreelineOptions } from "./build-site.ts";

interface AstroConfig {
  readonly root: URL;
  readonly base: string;
  readonly integrations?: readonly { readonly name: string }[];
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
        if (integrations?.some(({ name }) => name === "@astrojs/starlight") === true)
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
        if (config === undefined) return;
        const site = { dir: fileURLToPath(config.root), output: fileURLToPath(dir), base: config.base };
        logger.info(await indexSite(site, options));
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
