/**
 * What a project is called, where its repository is, and which branch is published.
 *
 * I/O: starts `git`.
 */
import { basename } from "node:path";
import { askGit, findRepository } from "../sources/git-commit.ts";
import type { ProjectFolder } from "./project-folder.ts";
import { pick, readJsonSettings, textOf } from "./read-settings.ts";

/** Longest name of a Worker. */
const MAX_NAME = 63;
/** A Worker or bucket of this project among those of an account. */
const SUFFIX = "-treeline";
const DEFAULT_BRANCH = "main";

/** Names of a project. */
export interface ProjectNames {
  /** Name for Worker and bucket: letters, digits and hyphens. */
  readonly worker: string;
  /** Web address of the repository; `""` where none is known. */
  readonly repository: string;
  readonly branch: string;
  /** Absolute path of the top folder of the repository; undefined outside of git. */
  readonly top: string | undefined;
}

/** Look names up. @param dir Absolute path of the project. */
export async function readProjectNames(project: ProjectFolder, dir: string): Promise<ProjectNames> {
  const top = await findRepository(dir);
  const manifest = readJsonSettings(project, "package.json");
  const remote = top === undefined ? undefined : await askGit(dir, ["remote", "get-url", "origin"]);
  const repository =
    webAddress(remote ?? "") ||
    webAddress(textOf(pick(manifest, "repository", "url")) ?? textOf(manifest.repository) ?? "");
  const name = textOf(manifest.name) ?? (repository === "" ? basename(dir) : basename(repository));
  return {
    worker: workerName(name),
    repository,
    branch: top === undefined ? DEFAULT_BRANCH : await readBranch(dir),
    top,
  };
}

/** A name for Worker and bucket out of a project's. */
export function workerName(project: string): string {
  const plain = project
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/^@/, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_NAME - SUFFIX.length)
    .replace(/^-+|-+$/g, "");
  return plain === "" || plain === "treeline" ? "treeline" : `${plain}${SUFFIX}`;
}

/** Address of a repository on the web, out of what git or a manifest says; `""` where it is on none. */
export function webAddress(remote: string): string {
  const text = remote.trim();
  const short = /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(text);
  if (short !== null)
    return short[1] === "bitbucket"
      ? `https://bitbucket.org/${short[2]}`
      : `https://${short[1] ?? "github"}.com/${short[2]}`;
  const ssh = /^(?:ssh:\/\/)?(?:[\w.-]+@)([\w.-]+)(?::\d+\/|[:/])([\w./~-]+)$/.exec(text);
  const address = ssh === null ? text.replace(/^git\+/, "").replace(/^git:/, "https:") : `https://${ssh[1]}/${ssh[2]}`;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return "";
  const { protocol, host, pathname } = new URL(address);
  const path = pathname.replace(/\/+$/, "").replace(/\.git$/, "");
  return path === "" ? "" : `${protocol}//${host}${path}`;
}

async function readBranch(dir: string): Promise<string> {
  const head = await askGit(dir, ["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"]);
  const remote = /^origin\/(.+)$/.exec(head?.trim() ?? "")?.[1];
  const current = remote ?? (await askGit(dir, ["symbolic-ref", "--quiet", "--short", "HEAD"]))?.trim();
  // What else git allows in names of branches would need quoting, and nobody's default branch is called so.
  return current !== undefined && /^[\w./-]+$/.test(current) ? current : DEFAULT_BRANCH;
}
