/** Builds a site as its users do, then the indexes beside it. */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { projectRoot } from "../../test/support/environment.ts";
import { pagefindArguments } from "../pagefind/program.ts";
import { listFiles, must, readManifest, type Site } from "./site.ts";
import { fetchSource, installPackages } from "./sources.ts";

/** Folders of the indexes in a built site. */
const INDEX = "treeline";
const PEER = "pagefind";

/** A built site. */
export interface BuiltSite {
  /** Folder that is served. */
  readonly dist: string;
  readonly pages: number;
  /** Milliseconds that the index took; near none where a plugin built it with the site. */
  readonly milliseconds: number;
}

/** What sites are built with. */
export interface Tools {
  /** Folder of the pages, where the caller has them. */
  readonly given: string | undefined;
  /** Path of Pagefind's program; without it there is no index of it. */
  readonly pagefind?: string;
  /** Treeline's package, packed, for sites with a plugin. */
  readonly tarball: () => Promise<string>;
}

/**
 * Fetches pages, installs packages, builds the site, and Treeline's and Pagefind's index of it.
 *
 * @param work Folder of the site; what was built in it already is taken as it is, but for sites with a plugin.
 * @throws {Error}
 */
export async function buildSite(site: Site, work: string, tools: Tools): Promise<BuiltSite> {
  const folder = join(work, "site");
  const dist = join(folder, site.output);
  const isNew = !existsSync(join(work, "built"));
  if (isNew) await makeSite(site, work, tools);
  else if (site.hasPlugin === true) await rebuildWithPlugin(site, folder, tools);
  const index = site.index ?? INDEX;
  const start = performance.now();
  if (site.hasPlugin !== true) {
    for (const one of [INDEX, PEER]) await rm(join(dist, one), { recursive: true, force: true });
    const cli = join(projectRoot, "indexer", "cli", "main.ts");
    const words = [cli, "build", dist, "--out", join(dist, index), "--browser", "--no-cache", "--quiet"];
    await must(process.execPath, words, folder);
  }
  const milliseconds = performance.now() - start;
  await stat(join(dist, index, "treeline.pointer"));
  if (site.visit !== undefined && tools.pagefind !== undefined) {
    await rm(join(dist, PEER), { recursive: true, force: true });
    await must(tools.pagefind, [...pagefindArguments(dist, join(dist, PEER)), ...(site.pagefind ?? [])], folder);
  }
  return { dist, pages: (await listFiles(dist, ".html")).length, milliseconds };
}

async function makeSite(site: Site, work: string, { given, tarball }: Tools): Promise<void> {
  const folder = join(work, "site");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await installPackages(site.debian ?? []);
  const source = given ?? (await fetchSource(site.pages, join(work, "pages"), site.name));
  const manifest = await readManifest(site);
  if (manifest !== undefined) {
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: `site-${site.name}`, ...manifest }));
    await install(folder, ...(site.hasPlugin === true ? [await tarball()] : []));
  }
  await site.write(source, folder, scriptOf(site));
  await generate(site, folder);
  if (site.lineInHtml === true) {
    await addLine(join(folder, site.output), `<script type="module" src="${scriptOf(site)}"></script>`);
  }
  await writeFile(join(work, "built"), "");
}

/** Treeline may be another one than before. */
async function rebuildWithPlugin(site: Site, folder: string, { tarball }: Tools): Promise<void> {
  await install(folder, await tarball());
  await rm(join(folder, site.output), { recursive: true, force: true });
  await generate(site, folder);
}

async function install(folder: string, ...packages: readonly string[]): Promise<void> {
  await must("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], folder);
}

async function generate({ build, environment }: Site, folder: string): Promise<void> {
  if (build === undefined) return;
  const [program, ...words] = build;
  const own = join(folder, "node_modules", ".bin", program);
  await must(existsSync(own) ? own : program, words, folder, environment);
}

function scriptOf({ base, place }: Site): string {
  return `${base}${INDEX}/search.js${place === undefined ? "" : `?place=${place}`}`;
}

/** Add a line to the head of each page. */
async function addLine(dist: string, line: string): Promise<void> {
  for (const path of await listFiles(dist, ".html")) {
    const file = join(dist, path);
    await writeFile(
      file,
      (await readFile(file, "utf8")).replace(/<\/head>/i, (end) => `${line}${end}`),
    );
  }
}
