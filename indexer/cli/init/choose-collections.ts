/**
 * The collections that a configuration will hold: those of the sites that were found, source code, or all Markdown
 * where there is no site. Each is walked as a build walks it, so that none is written which matches nothing.
 *
 * I/O: lists the folders of the project.
 */
import { InputError } from "../../../src/core/errors.ts";
import { CODE_INCLUDE, type CollectionConfig, defaultConfig } from "../../config/config.ts";
import { discoverFiles } from "../../sources/discover.ts";
import type { DocsSite, PlannedCollection } from "./docs-tool.ts";
import { findCode } from "./find-code.ts";
import { findSites } from "./find-sites.ts";
import type { ProjectFolder } from "./project-folder.ts";

/** What is about to be a collection. */
export interface ChosenCollection extends PlannedCollection {
  /** Files that it holds now. */
  readonly files: number;
  /** What was found, and the file that told: `VitePress`, `docs/.vitepress/config.ts`. */
  readonly from: string;
  readonly file: string;
}

/** What a project holds. */
export interface ChosenCollections {
  readonly collections: readonly ChosenCollection[];
  readonly notes: readonly string[];
}

const PLAIN: DocsSite = { tool: "Markdown", file: "", collections: [{ name: "docs", root: "" }] };

/** Look at a project. @param dir Its absolute path. */
export async function chooseCollections(project: ProjectFolder, dir: string): Promise<ChosenCollections> {
  const sites = findSites(project);
  const filled = await fillSites(sites, dir);
  const used = filled.length > 0 ? filled : await fillSites([PLAIN], dir);
  const collections = used.flatMap(({ found }) => found);
  const code = findCode(
    project,
    filled.map(({ site }) => site),
  );
  if (code !== undefined) {
    const files = await countFiles(code.collection, dir);
    if (files > 0) collections.push({ ...code.collection, files, from: "source code", file: code.file });
  }
  const notes = used.flatMap(({ site }) => site.notes ?? []);
  const unread = await countFiles({ name: "", root: "", include: ["**/*.rst"] }, dir);
  if (unread > 0) {
    notes.push(
      `Files of reStructuredText (.rst) are left out, ${unread} of them: Treeline reads Markdown and source code.`,
    );
  }
  return { collections: nameApart(collections), notes };
}

/** Sites with those of their collections that hold files. */
async function fillSites(sites: readonly DocsSite[], dir: string) {
  const filled: { readonly site: DocsSite; readonly found: readonly ChosenCollection[] }[] = [];
  for (const site of sites) {
    const found: ChosenCollection[] = [];
    for (const collection of site.collections) {
      const files = await countFiles(collection, dir);
      if (files > 0) found.push({ ...collection, files, from: site.tool, file: site.file });
    }
    if (found.length > 0) filled.push({ site, found });
  }
  return filled;
}

async function countFiles({ kind, root, include, exclude = [] }: PlannedCollection, dir: string): Promise<number> {
  const { collections, limits } = defaultConfig();
  const [docs] = collections as [CollectionConfig];
  const wanted = include ?? (kind === "code" ? CODE_INCLUDE : docs.include);
  try {
    return (await discoverFiles({ root: root === "" ? "." : root, include: wanted, exclude }, dir, limits)).files
      .length;
  } catch (error) {
    // A folder that a tool's settings name and that is not there, or leads out.
    if (error instanceof InputError) return 0;
    throw error;
  }
}

/** Names as a configuration takes them, each once. */
function nameApart(collections: readonly ChosenCollection[]): ChosenCollection[] {
  const taken = new Set<string>();
  return collections.map((collection) => {
    const wished =
      collection.name
        .replace(/[^A-Za-z0-9._-]+/g, "-")
        .replace(/^[^A-Za-z0-9]+/, "")
        .slice(0, 90) || "docs";
    const folder = collection.root.split("/").filter((part) => /^[A-Za-z0-9][\w.-]*$/.test(part) && part.length < 40);
    const spellings = [
      wished,
      ...folder
        .slice(0, 2)
        .reverse()
        .map((part) => (part === wished ? part : `${part}-${wished}`)),
    ];
    let name = spellings.find((one) => !taken.has(one.toLowerCase()));
    for (let at = 2; name === undefined; at++)
      if (!taken.has(`${wished}-${at}`.toLowerCase())) name = `${wished}-${at}`;
    taken.add(name.toLowerCase());
    return { ...collection, name };
  });
}
