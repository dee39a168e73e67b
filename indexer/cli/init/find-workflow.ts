/**
 * Which file a project's workflow stands in, and what the one that is there says: a repository may hold several
 * projects, and has one folder of workflows. Pure over the repository's `ProjectFolder`.
 */
import { isR2Bucket } from "../../publish/r2-address.ts";
import type { ProjectFolder } from "./project-folder.ts";
import { isPlainBranch } from "./project-names.ts";
import { ACTION } from "./published-names.ts";
import { pick, readYamlSettings, textOf, textsOf } from "./read-settings.ts";

const FOLDER = ".github/workflows";
const NAME = "treeline";
/** Workflows looked at. */
const MAX_WORKFLOWS = 200;

/** Where a workflow is, or will be. */
export interface WorkflowPlace {
  /** Path from the top of the repository. */
  readonly path: string;
  /** The file's name without its ending: workflows of two projects must not wait for each other. */
  readonly name: string;
  /** Whether it is a person's own, under a name that `treeline init` never gives. */
  readonly isHandmade: boolean;
  /** Branch whose pushes the one that is there publishes; undefined where it says none, or none is there. */
  readonly branch: string | undefined;
  /** Bucket that it publishes to, likewise. */
  readonly bucket: string | undefined;
}

/** A use of the Action. */
interface FoundUse {
  readonly file: string;
  readonly isHandmade: boolean;
  /** Folder that it indexes; undefined where an expression tells. */
  readonly root: string | undefined;
  readonly branch: string | undefined;
  readonly bucket: string | undefined;
}

/**
 * The place of a project's workflow: the one that is there for it, else the first that is no other project's.
 *
 * @param top The repository.
 * @param root Folder of the project in it, `.` for the top.
 */
export function findWorkflow(top: ProjectFolder, root: string): WorkflowPlace {
  const uses = top
    .names(FOLDER)
    .filter((file) => /^[\w.-]+\.ya?ml$/.test(file))
    .slice(0, MAX_WORKFLOWS)
    .flatMap((file) => readUses(top, file))
    .sort((a, b) => Number(a.isHandmade) - Number(b.isHandmade));
  const found = uses.find((one) => one.root === root) ?? uses.find((one) => one.root === undefined);
  if (found !== undefined) {
    const { file, isHandmade, branch, bucket } = found;
    return { path: `${FOLDER}/${file}`, name: file.replace(/\.ya?ml$/, ""), isHandmade, branch, bucket };
  }
  const name = freeName(root, new Set(uses.map(({ file }) => file)));
  return { path: `${FOLDER}/${name}.yml`, name, isHandmade: false, branch: undefined, bucket: undefined };
}

/** The shortest name that no other project's workflow has: `treeline`, `treeline-docs`, `treeline-docs-2` … */
function freeName(root: string, others: ReadonlySet<string>): string {
  const folder = root.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "top";
  for (let at = 0; ; at++) {
    const name = [NAME, ...(at > 0 ? [folder] : []), ...(at > 1 ? [at] : [])].join("-");
    if (!others.has(`${name}.yml`)) return name;
  }
}

/** What a workflow's steps with the Action say; none where it does not use it. */
function readUses(top: ProjectFolder, file: string): FoundUse[] {
  const settings = readYamlSettings(top, `${FOLDER}/${file}`);
  const [action] = ACTION.split("@");
  const shared = {
    file,
    isHandmade: !/^treeline(?:-[\w.-]+)?\.yml$/.test(file),
    branch: textsOf(pick(settings, "on", "push", "branches")).find(isPlainBranch),
  };
  return Object.values(pick(settings, "jobs") ?? {})
    .flatMap((job): unknown[] => {
      const steps = pick(job, "steps");
      return Array.isArray(steps) ? steps : [];
    })
    .filter((step) => textOf(pick(step, "uses"))?.split("@")[0] === action)
    .map((step) => {
      const root = textOf(pick(step, "with", "root")) ?? ".";
      const bucket = textOf(pick(step, "with", "bucket"));
      return {
        ...shared,
        root: root.includes("${{") ? undefined : root.replace(/^\.\/(?=.)/, "").replace(/(?<=.)\/+$/, ""),
        bucket: bucket !== undefined && isR2Bucket(bucket) ? bucket : undefined,
      };
    });
}
