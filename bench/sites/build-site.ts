/** Builds a site as its users do, then the indexes beside it. */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
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
  /** Milliseconds that the index took. */
  readonly milliseconds: number;
}

/**
 * Fetches pages, installs packages, builds the site, and Treeline's and Pagefind's index of it.
 *
 * @param work Folder of the site; what is in it already is taken as it is.
 * @param given Folder of its pages, where the caller has them.
 * @param pagefind Path of Pagefind's program; without it there is no index of it.
 * @throws {Error}
 */
export async function buildSite(
  site: Site,
  work: string,
  given: string | undefined,
  pagefind?: string,
): Promise<BuiltSite> {
  const folder = join(work, "site");
  const dist = join(folder, site.output);
  if (!existsSync(join(work, "built"))) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await installPackages(site.debian ?? []);
    const source = given ?? (await fetchSource(site.pages, join(work, "pages"), site.name));
    const manifest = await readManifest(site);
    if (manifest !== undefined) {
      await writeFile(join(folder, "package.json"), JSON.stringify({ name: `site-${site.name}`, ...manifest }));
      await must("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], folder);
    }
    await site.write(source, folder, scriptOf(site));
    if (site.build !== undefined) {
      const [program, ...words] = site.build;
      const own = join(folder, "node_modules", ".bin", program);
      await must(existsSync(own) ? own : program, words, folder, site.environment);
    }
    if (site.lineInHtml === true) await addLine(dist, `<script type="module" src="${scriptOf(site)}"></script>`);
    await writeFile(join(work, "built"), "");
  }
  const index = site.index ?? INDEX;
  for (const one of [INDEX, PEER]) await rm(join(dist, one), { recursive: true, force: true });
  const cli = join(projectRoot, "indexer", "cli", "main.ts");
  const start = performance.now();
  const words = [cli, "build", dist, "--out", join(dist, index), "--browser", "--no-cache", "--quiet"];
  await must(process.execPath, words, folder);
  const milliseconds = performance.now() - start;
  if (site.visit === undefined || pagefind === undefined)
    return { dist, pages: (await listFiles(dist, ".html")).length, milliseconds };
  const root = site.pagefindRoot === undefined ? [] : ["--root-selector", site.pagefindRoot];
  await must(pagefind, [...pagefindArguments(dist, join(dist, PEER)), ...root], folder);
  return { dist, pages: (await listFiles(dist, ".html")).length, milliseconds };
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
