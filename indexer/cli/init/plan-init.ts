/**
 * Everything that `treeline init` would write into a project, worked out before a byte is written.
 *
 * I/O: reads the project, and Treeline's own `wrangler.toml`.
 */
import { readFile } from "node:fs/promises";
import { relative, sep } from "node:path";
import { workerConfig } from "../../base/installation.ts";
import { parseConfig, readConfig } from "../../config/config.ts";
import { CONFIG_FILE_NAME } from "../../config/config-problems.ts";
import { WRANGLER_FILES, WRANGLER_TOML } from "../deploy/wrangler-files.ts";
import { type ChosenCollection, chooseCollections } from "./choose-collections.ts";
import { findWorkflow, type WorkflowPlace } from "./find-workflow.ts";
import type { InitSettings } from "./init-settings.ts";
import { type PlannedFile, planFiles, type WantedFile } from "./plan-files.ts";
import { openProjectFolder, type ProjectFolder } from "./project-folder.ts";
import type { ProjectNames } from "./project-names.ts";
import { writeConfig } from "./write-config.ts";
import { addIgnored } from "./write-ignored.ts";
import { writeWorkflow } from "./write-workflow.ts";
import { writeWrangler } from "./write-wrangler.ts";

/** Files that can be written, as `--only` names them. */
export const PARTS = ["config", "workflow", "wrangler", "gitignore"] as const;
/** One of them. */
export type Part = (typeof PARTS)[number];

/** What would be done. */
export interface InitPlan {
  readonly found: readonly ChosenCollection[];
  readonly files: readonly PlannedFile[];
  /** Which files these are, as `--only` names them. */
  readonly parts: readonly Part[];
  /** What a person should know, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Plan.
 *
 * @param dir Absolute path of the project's folder.
 * @param place Where the workflow is, or will be.
 * @param wished Files that were asked for.
 * @throws {InputError} where something stands in the way, or the configuration that is there cannot be used.
 */
export async function planInit(
  project: ProjectFolder,
  dir: string,
  names: ProjectNames,
  settings: InitSettings,
  place: WorkflowPlace,
  wished: readonly Part[],
): Promise<InitPlan> {
  const { collections, notes } = await chooseCollections(project, dir);
  const top = names.top ?? dir;
  const root = rootOf(names, dir);
  const branch = place.branch ?? names.branch;
  const parts = wished.filter((part) => part !== "workflow" || !place.isHandmade);
  const wanted: Record<Part, () => Promise<WantedFile> | WantedFile> = {
    config: () => ({ base: dir, path: CONFIG_FILE_NAME, text: writeConfig(collections, names.repository) }),
    workflow: () => ({
      base: top,
      path: place.path,
      text: writeWorkflow({ workflow: place.name, branch, root, ...settings }),
    }),
    wrangler: async () => ({
      base: dir,
      path: WRANGLER_TOML,
      text: writeWrangler(await readFile(workerConfig, "utf8"), settings),
    }),
    gitignore: () => ({ base: dir, path: ".gitignore", text: addIgnored }),
  };
  const files = await planFiles(
    await Promise.all(PARTS.filter((part) => parts.includes(part)).map((part) => wanted[part]())),
    dir,
  );
  await checkConfig(files, dir);
  const isThere = `${place.path} uses Treeline already: no other workflow is written.`;
  const guess = `The workflow publishes pushes to ${branch}, which is checked out: name your default branch there if it is another.`;
  const isGuessed = names.isBranchGuessed && place.branch === undefined && parts.includes("workflow");
  return {
    found: collections,
    files,
    parts,
    notes: [
      ...notes,
      ...(place.isHandmade && wished.includes("workflow") ? [isThere] : []),
      ...(isGuessed ? [guess] : []),
      ...explain(project, collections, files),
    ],
  };
}

/** The place of a project's workflow. @param dir Absolute path of the project. */
export function placeWorkflow(project: ProjectFolder, dir: string, names: ProjectNames): WorkflowPlace {
  const { top = dir } = names;
  return findWorkflow(top === dir ? project : openProjectFolder(top), rootOf(names, dir));
}

/** Folder of the project in its repository, `.` for the top. */
function rootOf({ top }: ProjectNames, dir: string): string {
  return (top === undefined ? "" : relative(top, dir).split(sep).join("/")) || ".";
}

/**
 * A configuration of wrangler that it reads before the one that `treeline init` writes; undefined where there is none.
 */
export function findOtherWrangler(project: ProjectFolder): string | undefined {
  const names = new Set(project.names(""));
  return WRANGLER_FILES.find((name) => name !== WRANGLER_TOML && names.has(name));
}

/** The configuration that will be there is one that a build takes. */
async function checkConfig(files: readonly PlannedFile[], dir: string): Promise<void> {
  const config = files.find(({ shown }) => shown === CONFIG_FILE_NAME);
  if (config !== undefined) parseConfig(config.text);
  if (config?.before !== undefined) await readConfig(dir);
}

function explain(project: ProjectFolder, found: readonly ChosenCollection[], files: readonly PlannedFile[]): string[] {
  const notes: string[] = [];
  if (found.length === 0) notes.push("There is no page and no source file yet: add one before the first build.");
  if (found.some(({ baseUrl }) => baseUrl === "")) {
    notes.push(
      "No setting tells the site's address, or only that of a template: give it as `baseUrl`, else results lead to Treeline's own pages.",
    );
  }
  const other = findOtherWrangler(project);
  if (other !== undefined && files.some(({ shown }) => shown === WRANGLER_TOML)) {
    notes.push(`wrangler reads ${other} before ${WRANGLER_TOML}: deploy with --config ${WRANGLER_TOML}.`);
  }
  for (const { shown, reason } of files) if (reason !== undefined) notes.push(`${shown} is left alone: ${reason}.`);
  return notes;
}
