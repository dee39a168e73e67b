/** Search for Docusaurus: `plugins: ["treeline/docusaurus"]`. Each language of a site is built by itself, and has an index of its own. */
import process from "node:process";
import { indexSite, scriptOf, type TreelineOptions, WHOLE_SITE } from "./build-site.ts";

/** A version of the docs, in what Docusaurus's own plugin has loaded. */
interface Version {
  readonly versionName: string;
  readonly isLast: boolean;
  /** Address, with the site's base. */
  readonly path: string;
}

interface BuiltSite {
  readonly siteDir: string;
  readonly outDir: string;
  readonly baseUrl: string;
  readonly i18n: { readonly currentLocale: string; readonly locales: readonly string[] };
  readonly plugins: readonly { readonly name: string; readonly options?: unknown; readonly content?: unknown }[];
}

/** Pages that only list others. */
const LISTS = ["**/tags/**", "tags.html", "**/archive/**", "**/authors/**", "**/page/*/**", "search/**", "search.html"];
const OLD_WEIGHT = 0.5;

/** Indexes what `docusaurus build` wrote, and puts the search box where Docusaurus has its own search. */
export default function treeline({ baseUrl }: { readonly baseUrl: string }, options: TreelineOptions = {}) {
  return {
    name: "treeline",
    injectHtmlTags() {
      if (process.env.NODE_ENV !== "production") return {};
      const src = scriptOf(baseUrl, options, "[data-has-hydrated=true] [class*=navbarSearchContainer]");
      return { headTags: [{ tagName: "script", attributes: { type: "module", src } }] };
    },
    async postBuild(site: object): Promise<void> {
      console.log(await indexSite(describe(site as BuiltSite), options));
    },
  };
}

function describe({ siteDir, outDir, baseUrl, i18n, plugins }: BuiltSite) {
  const { currentLocale, locales } = i18n;
  const others = locales.filter((locale) => locale !== currentLocale).map((locale) => `${locale}/**`);
  const versions = plugins.flatMap(readVersions);
  const named = versions.map(({ docs, versionName, isLast, isOnly, path }) => ({
    name: isLast ? docs : `${docs}-${versionName}`,
    folder: path.slice(baseUrl.length).replace(/^\/+|\/+$/g, ""),
    settings: { ...(!isOnly && { version: versionName }), ...(!isLast && { weight: OLD_WEIGHT }) },
  }));
  const hasTop = named.some(({ folder }) => folder === "");
  return {
    ...{ dir: siteDir, output: outDir, base: baseUrl, exclude: [...others, ...LISTS] },
    parts: versions.length > 1 ? [...named, ...(hasTop ? [] : [WHOLE_SITE])] : [WHOLE_SITE],
  };
}

function readVersions({ name, options, content }: BuiltSite["plugins"][number]) {
  if (name !== "docusaurus-plugin-content-docs") return [];
  const { id = "default" } = (options ?? {}) as { readonly id?: string };
  const { loadedVersions = [] } = (content ?? {}) as { readonly loadedVersions?: readonly Version[] };
  const shared = { docs: id === "default" ? "docs" : id, isOnly: loadedVersions.length === 1 };
  return loadedVersions.map(({ versionName, isLast, path }) => ({ ...shared, versionName, isLast, path }));
}
