/** Indexes a site that a generator has just written, for the plugins of generators. Each generator loads these modules in its own way, so they import little, and the build runs as a process of its own. */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Options of all plugins. */
export interface TreelineOptions {
  /** Folder of the index in the built site. Default: `treeline`. */
  readonly folder?: string;
  /** CSS selector of the element that the search box goes into. Default: where the generator has its own search. */
  readonly place?: string;
  /** Attributes of the search box, such as `{ facets: "version" }`. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Further keys of `treeline.config.json`, such as `{ glossary: "glossary.json" }`. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Pages of a folder of the site, `""` for all, that become a collection; those of deeper folders are left to their own. */
interface SitePart {
  readonly name: string;
  readonly folder: string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

interface BuiltSite {
  readonly dir: string;
  readonly output: string;
  /** Path that all addresses start with, `/` or `/docs/`. */
  readonly base: string;
  readonly parts?: readonly SitePart[];
  /** Whether addresses have no `.html`, where the generator says so. */
  readonly cleanUrls?: boolean | undefined;
  readonly exclude?: readonly string[];
}

const DEFAULT_FOLDER = "treeline";
export const WHOLE_SITE: SitePart = { name: "site", folder: "" };
/** Parts of Starlight's content that a reader of any site cannot know: links beside headings, buttons of tabs. */
const SITE = { exclude: [".sl-anchor-link", "starlight-tabs [role=tablist]"] };
/** Pages for addresses that lead nowhere. */
const NO_PAGES = ["404.html", "*/404.html", "404/**"];
const SHOWN_FINDINGS = 5;

/** Address of the script of the search box. @param place Where the box goes unless the options say. */
export function scriptOf(
  base: string,
  { folder = DEFAULT_FOLDER, place, attributes }: TreelineOptions,
  usual = "",
): string {
  const where = place ?? usual;
  const parameters = new URLSearchParams({ ...(where !== "" && { place: where }), ...attributes }).toString();
  return `${withSlashes(base)}${folder}/search.js${parameters === "" ? "" : `?${parameters}`}`;
}

function withSlashes(base: string): string {
  return `/${base.replace(/^\/+|\/+$/g, "")}/`.replace("//", "/");
}

/** Builds the index into the site. The result is a line for the generator's output. @throws {Error} when the build fails. */
export async function indexSite(built: BuiltSite, options: TreelineOptions): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), "treeline-site-"));
  try {
    const below = relative(built.dir, built.output).replaceAll("\\", "/");
    const isInside = below !== "" && !below.startsWith("..");
    const config = join(scratch, "treeline.config.json");
    await writeFile(config, JSON.stringify(configOf(built, isInside ? below : ".", options)));
    const out = join(built.output, options.folder ?? DEFAULT_FOLDER);
    const summary = await runBuild([
      ...["build", isInside ? built.dir : built.output, "--config", config],
      // Generators write names of other files into each page, so that pages are seldom the same twice.
      ...["--out", out, "--browser", "--no-cache", "--json"],
    ]);
    return describeBuild(summary, relative(process.cwd(), out));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function configOf(
  { base, cleanUrls, parts = [WHOLE_SITE], exclude = [] }: BuiltSite,
  root: string,
  { config }: TreelineOptions,
): object {
  const path = withSlashes(base);
  const site = { ...SITE, ...(cleanUrls !== undefined && { cleanUrls: cleanUrls ? "yes" : "no" }) };
  const collections = parts.map(({ name, folder, settings }) => {
    const deeper = parts.filter(
      (part) => part.folder !== folder && `${part.folder}/`.startsWith(folder && `${folder}/`),
    );
    return {
      ...{ kind: "site", root, site, ...(path !== "/" && { baseUrl: path }), ...settings },
      name: collectionName(name) || "site",
      ...(folder !== "" && { include: pagesIn(folder) }),
      exclude: [...deeper.flatMap((part) => pagesIn(part.folder)), ...exclude, ...NO_PAGES],
    };
  });
  return { collections, ...config };
}

/** A text as a name of a collection; `""` where nothing of it can be in one. */
export function collectionName(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
}

/** Globs of a folder's pages; a site may write its first one beside it. */
function pagesIn(folder: string): string[] {
  return [`{${folder}/**/*,${folder}}.html`];
}

interface BuildSummary {
  readonly documents: number;
  readonly findings: number;
  readonly diagnostics: readonly { readonly severity: string; readonly path: string; readonly message: string }[];
}

function describeBuild({ documents, findings, diagnostics }: BuildSummary, out: string): string {
  const shown = diagnostics.filter(({ severity }) => severity !== "info").slice(0, SHOWN_FINDINGS);
  const left = findings - shown.length;
  return [
    `Treeline indexed ${documents} ${documents === 1 ? "page" : "pages"} in ${out}`,
    ...shown.map(({ severity, path, message }) => `  ${severity} ${path}: ${message}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ].join("\n");
}

async function runBuild(words: readonly string[]): Promise<BuildSummary> {
  const program = fileURLToPath(new URL("../main.ts", import.meta.url));
  const child = spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const printed: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => printed.push(text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error("Treeline could not index the site; the reason is above");
  return JSON.parse(printed.join("")) as BuildSummary;
}
