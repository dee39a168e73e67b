/**
 * A documentation site as its users make it: packages from npm in a folder of its own, real pages, built by its own generator.
 */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "../../test/support/run-program.ts";
import { type FileContents, writeFiles } from "../../test/support/temporary-folder.ts";

/** Markdown of a package that ships its documentation: its pages are real ones. */
const DOCUMENTED = "fastify@5.6.1";

/** A site to build. */
export interface SitePlan {
  /** Packages, with their versions. */
  readonly packages: Readonly<Record<string, string>>;
  readonly files: FileContents;
  /** Program of the packages that builds it, and its words. */
  readonly build: readonly [string, ...(readonly string[])];
  /** Where it writes the site. */
  readonly output: string;
}

/** Install a site's packages, write its files and build it. The result is the folder of the built site. @throws {Error} */
export async function buildSite(folder: string, { packages, files, build, output }: SitePlan): Promise<string> {
  const manifest = { name: "treeline-site", private: true, type: "module", dependencies: packages };
  await writeFiles(folder, { "package.json": JSON.stringify(manifest), ...files });
  await must("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], folder);
  const [program, ...words] = build;
  await must(join(folder, "node_modules", ".bin", program), words, folder);
  return join(folder, output);
}

/** A page of the documentation. */
export interface MarkdownPage {
  /** In small letters, as generators make addresses: `guides/testing.md`. */
  readonly path: string;
  readonly title: string;
  /** Without the heading that is its title. */
  readonly body: string;
}

/** Pages of a package that ships its documentation, fetched from npm. @param work Folder for it. @throws {Error} */
export async function fetchPages(work: string): Promise<readonly MarkdownPage[]> {
  await mkdir(work, { recursive: true });
  const packed = await must("npm", ["pack", DOCUMENTED, "--silent"], work);
  const tarball = packed.trim().split("\n").at(-1) as string;
  await must("tar", ["xzf", tarball], work);
  const docs = join(work, "package", "docs");
  const paths = (await readdir(docs, { recursive: true })).filter((path) => path.endsWith(".md")).sort();
  return Promise.all(paths.map(async (path) => readPage(path, await readFile(join(docs, path), "utf8"))));
}

/** Run a program to its end. The result is what it printed. @throws {Error} where it fails. */
export async function must(program: string, words: readonly string[], folder: string): Promise<string> {
  const { exitCode, output } = await runProgram(program, words, folder, { ASTRO_TELEMETRY_DISABLED: "1" });
  if (exitCode !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${exitCode}:\n${output}`);
  return output;
}

function readPage(path: string, text: string): MarkdownPage {
  const title = /^#+ +(.+)$/m.exec(text)?.[1]?.replace(/[`*<>]/g, "") ?? path;
  const body = text
    .replace(/^#+ +.+\n/m, "")
    // Its own logo stands in a heading of HTML, in front of all others; pictures are not in the package.
    .replace(/<h1[^>]*>[\s\S]*?<\/h1>/g, "")
    // Links between pages, which are in small letters here.
    .replace(/\]\((?!https?:)[^)]+\.md[^)]*\)/g, (link) => link.toLowerCase())
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1");
  return { path: path.replaceAll("\\", "/").toLowerCase(), title: title.trim(), body };
}
