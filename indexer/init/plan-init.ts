/**
 * Everything that `treeline init` would write into a project, worked out before a byte is written.
 *
 * I/O: reads the project, and Treeline's own `wrangler.toml`.
 */
import { readFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { parseConfig, readConfig } from "../config.ts";
import { CONFIG_FILE_NAME } from "../config-problems.ts";
import { type ChosenCollection, chooseCollections } from "./choose-collections.ts";
import type { InitSettings } from "./init-settings.ts";
import { type PlannedFile, planFiles, type WantedFile } from "./plan-files.ts";
import type { ProjectFolder } from "./project-folder.ts";
import type { ProjectNames } from "./project-names.ts";
import { writeConfig } from "./write-config.ts";
import { addIgnored } from "./write-ignored.ts";
import { writeWorkflow } from "./write-workflow.ts";
import { writeWrangler } from "./write-wrangler.ts";

/** Files that can be written, as `--only` names them. */
export const PARTS = ["config", "workflow", "wrangler", "gitignore"] as const;
/** One of them. */
export type Part = (typeof PARTS)[number];

const WRANGLER_FILE = "wrangler.toml";
const OTHER_WRANGLER_FILES = ["wrangler.json", "wrangler.jsonc"];

/** What would be done. */
export interface InitPlan {
  readonly found: readonly ChosenCollection[];
  readonly files: readonly PlannedFile[];
  /** What a person should know, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Plan.
 *
 * @param dir Absolute path of the project's folder.
 * @throws {InputError} where something stands in the way, or the configuration that is there cannot be used.
 */
export async function planInit(
  project: ProjectFolder,
  dir: string,
  names: ProjectNames,
  settings: InitSettings,
  parts: readonly Part[],
): Promise<InitPlan> {
  const { collections, notes } = await chooseCollections(project, dir);
  const top = names.top ?? dir;
  const root = relative(top, dir).split(sep).join("/") || ".";
  const { branch } = names;
  const wanted: Record<Part, () => Promise<WantedFile> | WantedFile> = {
    config: () => ({ base: dir, path: CONFIG_FILE_NAME, text: writeConfig(collections, names.repository) }),
    workflow: () => ({
      base: top,
      path: ".github/workflows/treeline.yml",
      text: writeWorkflow({ branch, root, ...settings }),
    }),
    wrangler: async () => ({ base: dir, path: WRANGLER_FILE, text: writeWrangler(await readOwnWrangler(), settings) }),
    gitignore: () => ({ base: dir, path: ".gitignore", text: addIgnored }),
  };
  const files = await planFiles(
    await Promise.all(PARTS.filter((part) => parts.includes(part)).map((part) => wanted[part]())),
    dir,
  );
  await checkConfig(files, dir);
  return { found: collections, files, notes: [...notes, ...explain(project, collections, files)] };
}

/** The configuration that will be there is one that a build takes. */
async function checkConfig(files: readonly PlannedFile[], dir: string): Promise<void> {
  const config = files.find(({ shown }) => shown === CONFIG_FILE_NAME);
  if (config !== undefined) parseConfig(config.text);
  if (config?.before !== undefined) await readConfig(dir);
}

function explain(project: ProjectFolder, found: readonly ChosenCollection[], files: readonly PlannedFile[]): string[] {
  const notes: string[] = [];
  if (found.length === 0) notes.push("There is no page and no source file yet: an index of nothing cannot be built.");
  if (found.some(({ baseUrl }) => baseUrl === "")) {
    notes.push(
      "The address of the site is in no setting: give it as `baseUrl`, else results lead to Treeline's own pages.",
    );
  }
  const names = new Set(project.names(""));
  const other = OTHER_WRANGLER_FILES.find((name) => names.has(name));
  if (other !== undefined && files.some(({ shown }) => shown === WRANGLER_FILE)) {
    notes.push(`wrangler reads ${other} before ${WRANGLER_FILE}: deploy with --config ${WRANGLER_FILE}.`);
  }
  for (const { shown, reason } of files) if (reason !== undefined) notes.push(`${shown} is left alone: ${reason}.`);
  return notes;
}

async function readOwnWrangler(): Promise<string> {
  return readFile(join(resolve(import.meta.dirname, "..", ".."), WRANGLER_FILE), "utf8");
}
