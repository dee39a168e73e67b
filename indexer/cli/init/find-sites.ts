/**
 * The sites of a project: each place where one may lie, held against the rules of all tools. Pure over a
 * `ProjectFolder`.
 */
import picomatch from "picomatch";
import type { DocsSite, DocsTool } from "./docs-tool.ts";
import { below, type ProjectFolder } from "./project-folder.ts";
import { pick, readJsonSettings, readYamlSettings, textsOf } from "./read-settings.ts";
import { astro } from "./tools/astro.ts";
import { docusaurus } from "./tools/docusaurus.ts";
import { hugo } from "./tools/hugo.ts";
import { jekyll } from "./tools/jekyll.ts";
import { mdbook } from "./tools/mdbook.ts";
import { mintlify } from "./tools/mintlify.ts";
import { mkdocs } from "./tools/mkdocs.ts";
import { next } from "./tools/next.ts";
import { sphinx } from "./tools/sphinx.ts";
import { vitepress } from "./tools/vitepress.ts";

/** In order: those whose files can mean nothing else come first, one folder has one tool. */
const TOOLS: readonly DocsTool[] = [docusaurus, vitepress, mkdocs, mdbook, mintlify, astro, next, hugo, sphinx, jekyll];

/** Folders in which sites lie beside a project's code. */
const USUAL_FOLDERS = ["docs", "doc", "documentation", "website", "site", "www", "web", "guide", "book", "docs/source"];
/** Folders looked at; a project with more packages names its sites itself. */
const MAX_FOLDERS = 300;
const MAX_SITES = 5;

/** The sites of a project, those nearest to its top first. */
export function findSites(project: ProjectFolder): DocsSite[] {
  const sites: DocsSite[] = [];
  for (const folder of listFolders(project)) {
    if (sites.length === MAX_SITES) break;
    // What lies inside a site that was found is a part of it.
    if (sites.some((site) => site.collections.some(({ root }) => root === folder && root !== ""))) continue;
    const site = TOOLS.map((tool) => tool.find(project, folder)).find((found) => hasPages(project, found));
    if (site !== undefined) sites.push(site);
  }
  return sites;
}

/** Folders of packages that a workspace names, as far as one wildcard a level says. */
export function listWorkspaceFolders(project: ProjectFolder): string[] {
  const { workspaces } = readJsonSettings(project, "package.json");
  const globs = [
    ...textsOf(workspaces),
    ...textsOf(pick(workspaces, "packages")),
    ...textsOf(readYamlSettings(project, "pnpm-workspace.yaml").packages),
  ];
  const found = new Set<string>();
  for (const glob of globs.slice(0, MAX_FOLDERS)) {
    if (glob.startsWith("!") || glob.length > 200) continue;
    const parts = glob.split("/").filter((part) => part !== "" && part !== ".");
    for (const folder of expand(project, "", parts)) if (found.size < MAX_FOLDERS) found.add(folder);
  }
  return [...found].sort();
}

function listFolders(project: ProjectFolder): string[] {
  return [...new Set(["", ...USUAL_FOLDERS, ...listWorkspaceFolders(project)])]
    .filter((folder) => project.isFolder(folder))
    .slice(0, MAX_FOLDERS);
}

function expand(project: ProjectFolder, folder: string, parts: readonly string[]): string[] {
  const [part, ...rest] = parts;
  if (part === undefined) return [folder];
  if (part === "..") return [];
  if (!/[*?[{(!]/.test(part)) {
    const next = below(folder, part);
    return project.isFolder(next) ? expand(project, next, rest) : [];
  }
  const matches = picomatch(part === "**" ? "*" : part);
  const names = project.names(folder).filter((name) => name !== "node_modules" && matches(name));
  return names
    .slice(0, MAX_FOLDERS)
    .map((name) => below(folder, name))
    .filter((path) => project.isFolder(path))
    .flatMap((path) => expand(project, path, rest));
}

/** Whether there is a folder for at least one of a site's collections. */
function hasPages(project: ProjectFolder, site: DocsSite | undefined): boolean {
  return site?.collections.some(({ root }) => project.isFolder(root)) === true;
}
