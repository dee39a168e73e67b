/**
 * A documentation site as its users make it: packages in a folder of its own, real pages, built by its own generator.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { runProgram } from "../../test/support/run-program.ts";

/** A site of the gate. Its `package.json` and `queries.json` are in the folder of its name, where it has some. */
export interface Site {
  /** Name of its folder, which `--only` and `--source` take. */
  readonly name: string;
  /** Generator and what is special about the site, for the table. */
  readonly about: string;
  /** Where its pages come from. */
  readonly pages: Source;
  /** Folder with its `package.json`, where it is another one's. */
  readonly packages?: string;
  /** Debian packages that its generator needs. */
  readonly debian?: readonly string[];
  /** Writes the files of the site. @param source Folder of the pages. @param script Address of the search box. */
  readonly write: (source: string, folder: string, script: string) => Promise<void>;
  /** Builds the site; absent where the pages are a built site. */
  readonly build?: readonly [string, ...(readonly string[])];
  /** Variables of the build. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Folder of the built site. */
  readonly output: string;
  /** Path below which the host serves it, with slashes around. */
  readonly base: string;
  /** Place of the button, a selector; the corner where it is absent. */
  readonly place?: string;
  /** Treeline is installed in the site as a package, and its plugin for the generator builds the index and adds the box. */
  readonly hasPlugin?: boolean;
  /** The script line is added to the HTML, since the generator is not run or has no setting for it. */
  readonly lineInHtml?: boolean;
  /** Further words for Pagefind's program, by which it does better here. */
  readonly pagefind?: readonly string[];
  /** What is clicked; absent where only `also` is done. */
  readonly visit?: Visit;
  /** A further visit. The result is what went wrong. */
  readonly also?: (page: Page, url: string) => Promise<readonly string[]>;
  /** Folder of Treeline's index, where it takes the place of another tool's. */
  readonly index?: string;
}

/** Where pages come from. */
export type Source =
  /** Packages of npm, each unpacked into a folder of its name as it is given here. */
  | { readonly npm: Readonly<Record<string, string>> }
  /** Packages of Debian, unpacked into one folder. */
  | { readonly debian: readonly string[] }
  /** Source package of Debian, as it was before Debian changed it. */
  | { readonly debianSource: string }
  /** A folder of this repository. */
  | { readonly own: string }
  /** A folder that only the caller has: what it must be, in words. */
  | { readonly folder: string };

/** What is clicked on a site. All paths are below its base. */
export interface Visit {
  /** Page on which the visitor begins. */
  readonly start: string;
  /** Query, and the page that its best hit is on. */
  readonly query: string;
  readonly page: string;
  /** Elements that are clicked one after another to make the site dark, or that it follows the system. */
  readonly dark?: readonly string[] | "system";
  /** Beginnings of paths that all first hits must have, by language or version of the page. */
  readonly scopes?: readonly Scope[];
}

/** A part of a site that a visitor is in. */
export interface Scope {
  readonly kind: "language" | "version";
  readonly start: string;
  readonly query: string;
  /** Expression for the paths of the part. */
  readonly within: RegExp;
}

/** A query whose right page was decided before anything was searched. */
export interface SiteQuery {
  readonly query: string;
  /** The right page, below the base; several where either answers. */
  readonly page: string | readonly string[];
  /** Page on which the visitor types it; the site's start where it is absent. */
  readonly from?: string;
}

/** The queries of a site; none where it only is a variant of another one. @throws {Error} */
export async function readQueries({ name, visit }: Site): Promise<readonly SiteQuery[]> {
  if (visit === undefined) return [];
  return JSON.parse(await readFile(join(import.meta.dirname, name, "queries.json"), "utf8")) as SiteQuery[];
}

/** Manifest of a site's packages; undefined where it has none. */
export async function readManifest({ name, packages = name }: Site): Promise<Record<string, unknown> | undefined> {
  const text = await readFile(join(import.meta.dirname, packages, "package.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
}

/** Run a program to its end. The result is what it printed. @throws {Error} where it fails. */
export async function must(
  program: string,
  words: readonly string[],
  folder: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const quiet = { ASTRO_TELEMETRY_DISABLED: "1", NEXT_TELEMETRY_DISABLED: "1", ...environment };
  const { exitCode, output } = await runProgram(program, words, folder, quiet);
  if (exitCode !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${exitCode}:\n${output.slice(-6000)}`);
  return output;
}

/** Paths of files below a folder that end in one of some ways, sorted. */
export async function listFiles(folder: string, ...endings: readonly string[]): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}
