/** Everything that `treeline init` would write into a project, worked out before a byte is written: decisions, the texts of the files, the steps that come next. */

import { readFile } from "node:fs/promises";
import { basename, relative, sep } from "node:path";
import { hashKey } from "../../../src/core/bytes/checksum.ts";
import { pick } from "../../../src/core/parse-text.ts";
import { RELEASE, readVersion, workerConfig } from "../../base/installation.ts";
import { parseConfig, readConfig } from "../../config/config.ts";
import { CONFIG_FILE_NAME } from "../../config/settings-file.ts";
import { R2_BUCKET } from "../../publish/s3.ts";
import { askGit, findRepository } from "../../sources/git.ts";
import {
  ACCOUNT_VARIABLE,
  ASSETS_PATH,
  SECRET_NAMES,
  WORKER_PATH,
  WRANGLER_FILES,
  WRANGLER_TOML,
} from "../deploy/run-wrangler.ts";
import { type ChosenCollection, chooseCollections, findIndexers } from "./choose-collections.ts";
import {
  openProjectFolder,
  type PlannedFile,
  type ProjectFolder,
  planFiles,
  readJsonSettings,
  readTomlSettings,
  readYamlSettings,
  textOf,
  textsOf,
  type WantedFile,
} from "./project-files.ts";

const FOLDER = ".github/workflows";

const NAME = "treeline";

const MAX_WORKFLOWS = 200;

const OWN_BUCKET = "treeline-index";

const OWN_MAIN = "src/worker/worker.ts";

const LINES = [".treeline/", ".wrangler/"];

/** In a file that is new: what is asked to be installed is no part of a repository. */
const NEW_LINES = ["node_modules/", ...LINES];

/**
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
  isStatic = false,
) {
  const chosen = await chooseCollections(project, dir);
  const site = isStatic ? chosen.sites[0]?.static : undefined;
  const { notes } = isStatic ? { notes: [] } : chosen;
  const collections = site === undefined ? chosen.collections : [site.collection];
  const top = names.top ?? dir;
  const root = rootOf(names, dir);
  const branch = place.branch ?? names.branch;
  const parts = wished.filter((part) => part !== "workflow" || !place.isHandmade);
  const workflow = { workflow: place.name, branch, root, ...settings };
  const wrangler = writeWrangler(await readFile(workerConfig, "utf8"), settings);
  const wanted: Record<Part, WantedFile> = {
    config: { base: dir, path: CONFIG_FILE_NAME, text: writeConfig(collections, names.repository) },
    workflow: { base: top, path: place.path, text: writeWorkflow(workflow) },
    wrangler: { base: dir, path: WRANGLER_TOML, text: wrangler },
    gitignore: { base: dir, path: ".gitignore", text: addIgnored },
  };
  const written = PARTS.filter(
    (part) => parts.includes(part) && (!isStatic || (site !== undefined && site.plugin === undefined)),
  );
  const files = await planFiles(
    written.map((part) => wanted[part]),
    dir,
  );
  await checkConfig(files, dir);
  const isThere = `${place.path} uses Treeline already: no other workflow is written.`;
  const guess = `The workflow publishes pushes to ${branch}, which is checked out: name your default branch there if it is another.`;
  const isGuessed = names.isBranchGuessed && place.branch === undefined && parts.includes("workflow");
  return {
    found: chosen.collections,
    site,
    files,
    parts,
    notes: [
      ...notes,
      ...(isStatic ? [] : await recommendIndexers(dir)),
      ...(place.isHandmade && wished.includes("workflow") ? [isThere] : []),
      ...(isGuessed ? [guess] : []),
      ...(isStatic ? [] : explain(project, collections, files)),
    ],
  };
}

/** The place of a project's workflow. @param dir Absolute path of the project. */
export function placeWorkflow(project: ProjectFolder, dir: string, names: ProjectNames): WorkflowPlace {
  const { top = dir } = names;
  return findWorkflow(top === dir ? project : openProjectFolder(top), rootOf(names, dir));
}

function rootOf({ top }: ProjectNames, dir: string): string {
  return (top === undefined ? "" : relative(top, dir).split(sep).join("/")) || ".";
}

/** A configuration of wrangler that it reads before the one that `treeline init` writes; undefined where there is none. */
export function findOtherWrangler(project: ProjectFolder): string | undefined {
  const names = new Set(project.names(""));
  return WRANGLER_FILES.find((name) => name !== WRANGLER_TOML && names.has(name));
}

async function checkConfig(files: readonly PlannedFile[], dir: string): Promise<void> {
  const config = files.find(({ shown }) => shown === CONFIG_FILE_NAME);
  if (config !== undefined) parseConfig(config.text);
  if (config?.before !== undefined) await readConfig(dir);
}

async function recommendIndexers(dir: string): Promise<string[]> {
  const indexers = await findIndexers(dir);
  if (indexers.length === 0) return [];
  const named = indexers.map(({ program, languages }) => `${program} (${languages})`).join(", ");
  return [
    `With an indexer of a compiler references are exact: install ${named} in the workflow before the step of Treeline, which runs it.`,
  ];
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

/** The text with the lines that it lacks; `before` is `""` where there is no file. Line ends stay as they are. */
export function addIgnored(before: string): string {
  const lineEnd = before.includes("\r\n") ? "\r\n" : "\n";
  const there = new Set(before.split(/\r?\n/).map(bare));
  const missing = (before === "" ? NEW_LINES : LINES).filter((line) => !there.has(bare(line)));
  if (missing.length === 0) return before;
  const start = before === "" || before.endsWith("\n") ? before : before + lineEnd;
  return start + missing.map((line) => line + lineEnd).join("");
}

function bare(line: string): string {
  return line
    .trim()
    .replace(/^\uFEFF?(?:\*\*)?\/?/, "")
    .replace(/\/\**$/, "");
}

/** The text. @param own Text of Treeline's own `wrangler.toml`. */
export function writeWrangler(own: string, { name, bucket, account, isPrivate }: InitSettings): string {
  const head = "# The Worker that answers from this project's index. `npx treeline deploy` brings it to Cloudflare.";
  const entry = `main = "${WORKER_PATH}"${account === "" ? "" : `\naccount_id = "${account}"`}`;
  const written = own
    .replaceAll("\r\n", "\n")
    // What the comment at the top says is about a clone.
    .replace(/^(?:#.*\n)+/, `${head}\n`)
    // Further deployments, with what is said about them: each would need to be private for itself.
    .replace(/\n+(?:#.*\n)*\[+env\.[\s\S]*$/, "\n")
    .replace(`main = "${OWN_MAIN}"`, entry)
    .replace(/^directory = ".*$/m, `directory = "${ASSETS_PATH}"`)
    .replace(`\nname = "${NAME}"`, `\nname = "${name}"`)
    .replace(`bucket_name = "${OWN_BUCKET}"`, `bucket_name = "${bucket}"`)
    .replace(/^(namespace_id = ")(\d+)"$/gm, (_, before: string, id: string) => `${before}${namespaceOf(name, id)}"`)
    // Treeline's documents are not in this folder.
    .replace(/(^#.*?)\bdocs\/([\w-]+\.md)/gm, `$1${DOCS_ADDRESS}/$2`);
  return withAccess(written, isPrivate);
}

/** Rate limits of an account with the same number count together, so that of each Worker is its own. */
function namespaceOf(name: string, id: string): string {
  if (name === NAME) return id;
  // Five digits in front of the number that tells the limits of one Worker apart.
  return `${10_000 + (hashKey(name) % 90_000)}${id.slice(-1)}`;
}

function withAccess(text: string, isPrivate: boolean): string {
  if (!isPrivate) return text;
  const setting = `# Nobody is answered without a key: ${DOCS_ADDRESS}/access.md\nACCESS = "private"`;
  if (/^ACCESS = /m.test(text)) return text.replace(/^ACCESS = .*$/m, setting);
  if (/^\[vars\]$/m.test(text)) return text.replace(/^\[vars\]$/m, `[vars]\n${setting}`);
  return `${text.trimEnd()}\n\n[vars]\n${setting}\n`;
}

/** The text. @param repository Web address of the repository, `""` where it is on none. */
export function writeConfig(collections: readonly ChosenCollection[], repository: string): string {
  const written =
    collections.length > 0 ? collections.map((one) => writeCollection(one, repository)) : ['    { "name": "docs" }'];
  return [
    "{",
    `  // What Treeline indexes. All keys: ${DOCS_ADDRESS}/configuration.md`,
    `  "$schema": ${JSON.stringify(SCHEMA_PATH)},`,
    '  "collections": [',
    written.join(",\n"),
    "  ]",
    "}",
    "",
  ].join("\n");
}

/** Keys of a collection in the order that they are written in. */
const WRITTEN_KEYS = [
  ...(["name", "kind", "root", "include", "exclude", "baseUrl"] as const),
  ...(["version", "anchors", "language", "weight", "repository"] as const),
];

function writeCollection(collection: ChosenCollection, repository: string): string {
  const { baseUrl, behind = "", from, file } = collection;
  const told = file === "" ? "" : ` (${file.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?")})`;
  const values = { ...collection, repository };
  const lines = WRITTEN_KEYS.flatMap((key) =>
    values[key] === undefined || values[key] === "" ? [] : [`      "${key}": ${writeValue(values[key])}`],
  );
  return [
    `    // ${from}${told}`,
    "    {",
    ...(baseUrl === ""
      ? [
          `      // "baseUrl": ${JSON.stringify(`https://docs.example.com/${behind}`)}: where the pages are on the web; results then lead there.`,
        ]
      : []),
    lines.join(",\n"),
    "    }",
  ].join("\n");
}

function writeValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.map((one) => JSON.stringify(one)).join(", ")}]` : JSON.stringify(value);
}

/**
 * The place of a project's workflow: the one that is there for it, else the first that is no other project's.
 *
 * @param top The repository.
 * @param root Folder of the project in it, `.` for the top.
 */
function findWorkflow(top: ProjectFolder, root: string) {
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

/**
 * Where a workflow is, or will be, from the top of the repository; its name, which differs from those of other projects, so that none
 * waits for another; branch and bucket of the one that is there, where it names them. `isHandmade`: it has a name that
 * `treeline init` never gives.
 */
type WorkflowPlace = Readonly<ReturnType<typeof findWorkflow>>;

/** The shortest name that no other project's workflow has: `treeline`, `treeline-docs`, `treeline-docs-2` … */
function freeName(root: string, others: ReadonlySet<string>): string {
  const folder = root.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "top";
  for (let at = 0; ; at++) {
    const name = [NAME, ...(at > 0 ? [folder] : []), ...(at > 1 ? [at] : [])].join("-");
    if (!others.has(`${name}.yml`)) return name;
  }
}

/** What a workflow's steps with the Action say; none where it does not use it. */
function readUses(top: ProjectFolder, file: string) {
  const settings = readYamlSettings(top, `${FOLDER}/${file}`);
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
    .filter((step) => OWN_ACTION.test(textOf(pick(step, "uses")) ?? ""))
    .map((step) => {
      const root = textOf(pick(step, "with", "root")) ?? ".";
      const bucket = textOf(pick(step, "with", "bucket"));
      return {
        ...shared,
        // The folder that it indexes, where no expression tells.
        root: root.includes("${{") ? undefined : root.replace(/^\.\/(?=.)/, "").replace(/(?<=.)\/+$/, ""),
        bucket: bucket !== undefined && R2_BUCKET.test(bucket) ? bucket : undefined,
      };
    });
}

/** What `npm pack` makes: a file of the user's repository until there is a release. */
export const PACKAGE_FILE = `treeline-${readVersion()}.tgz`;
/** The Action of a release, or that of an installed package. */
const OWN_ACTION = /^treeline-dev\/treeline@|(?:^|\/)node_modules\/treeline$/;
/** Where the workflow installs the package, which holds the Action, while there is no release. */
const PACKAGE_FOLDER = ".treeline/package";
const SCHEMA_PATH = "./node_modules/treeline/schemas/config.schema.json";
export const DOCS_ADDRESS = "node_modules/treeline/docs";

/** The steps that run the Action. @param folder Folder of the project in its repository. @param release As `RELEASE`. */
function actionSteps(folder: string, release: string): string {
  if (release !== "") return `      - uses: treeline-dev/treeline@v${release.split(".")[0]}`;
  const file = JSON.stringify(`./${folder === "." ? "" : `${folder}/`}${PACKAGE_FILE}`);
  return `      # The package lies in this repository until Treeline is released.
      - run: npm install --prefix ${PACKAGE_FOLDER} --no-audit --no-fund "$PACKAGE"
        env:
          PACKAGE: ${file.replaceAll(/\$\{\{/g, (opening) => `\${{ '${opening}' }}`)}
      - uses: ./${PACKAGE_FOLDER}/node_modules/treeline`;
}

/**
 * The text of the workflow.
 *
 * @param workflow Name of the workflow, that of its file.
 * @param root Folder of the project in its repository, `.` for the top.
 */
export function writeWorkflow({
  workflow,
  branch,
  root,
  account,
  bucket,
  release = RELEASE,
}: Readonly<Record<"workflow" | "branch" | "root" | "account" | "bucket", string>> & { release?: string }): string {
  return `# Indexes every push to ${branch} and publishes the index; on pull requests it only says what would change.
name: ${workflow}
on:
  push:
    branches: [${JSON.stringify(branch)}]
  pull_request:

permissions:
  contents: read

# One publish after another: the newest push is what is served at the end.
concurrency:
  group: ${workflow}-\${{ github.ref }}

jobs:
  index:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
      - uses: actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0
        with:
          node-version: 24
${actionSteps(root, release)}
        with:
          root: ${quoteFolder(root)}
          account: ${account === "" ? `\${{ vars.${ACCOUNT_VARIABLE} }}` : JSON.stringify(account)}
          bucket: ${JSON.stringify(bucket)}
          access-key-id: \${{ secrets.${SECRET_NAMES.id} }}
          secret-access-key: \${{ secrets.${SECRET_NAMES.secret} }}
`;
}

/** A folder as a text of YAML, in which GitHub finds no expression either. */
function quoteFolder(root: string): string {
  return JSON.stringify(root).replaceAll(/\$\{\{/g, (opening) => `\${{ '${opening}' }}`);
}

/** Files that can be written, as `--only` names them. */
export const PARTS = ["config", "workflow", "wrangler", "gitignore"] as const;
export type Part = (typeof PARTS)[number];

export interface InitSettings {
  readonly name: string;
  readonly bucket: string;
  readonly account: string;
  readonly isPrivate: boolean;
}

const MAX_NAME = 63;
/** A Worker or bucket of this project among those of an account. */
const SUFFIX = "-treeline";
const DEFAULT_BRANCH = "main";
const USUAL_BRANCHES = [DEFAULT_BRANCH, "master"];

export async function readProjectNames(project: ProjectFolder, dir: string) {
  const top = await findRepository(dir);
  const manifest = readJsonSettings(project, "package.json");
  const remote = top === undefined ? undefined : await askGit(dir, ["remote", "get-url", "origin"]);
  const repository =
    webAddress(remote ?? "") ||
    webAddress(textOf(pick(manifest, "repository", "url")) ?? textOf(manifest.repository) ?? "");
  const name =
    textOf(manifest.name) ??
    textOf(readTomlSettings(project, "pyproject.toml")["project.name"]) ??
    textOf(readTomlSettings(project, "Cargo.toml")["package.name"]) ??
    nameOfPlace(repository, top, dir);
  return {
    worker: workerName(name),
    repository,
    ...(top === undefined ? { branch: DEFAULT_BRANCH, isBranchGuessed: false } : await readBranch(dir)),
    top,
  };
}
export type ProjectNames = Readonly<Awaited<ReturnType<typeof readProjectNames>>>;

/** A project without a manifest is called like its repository, with its folder there: a repository may hold several. */
function nameOfPlace(repository: string, top: string | undefined, dir: string): string {
  if (repository === "" || top === undefined) return basename(dir);
  return [basename(repository), ...relative(top, dir).split(sep)].filter((part) => part !== "").join("-");
}

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

/** The default branch: what the clone knows of its origin; else, since `git init` notes nothing of the kind, a branch with one of the usual names; last the one that is checked out. */
async function readBranch(dir: string): Promise<{ readonly branch: string; readonly isBranchGuessed: boolean }> {
  const ask = async (...words: readonly string[]): Promise<string> => (await askGit(dir, words))?.trim() ?? "";
  const head = await ask("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD");
  const remote = /^origin\/(.+)$/.exec(head)?.[1];
  if (remote !== undefined && isPlainBranch(remote)) return { branch: remote, isBranchGuessed: false };
  const current = await ask("symbolic-ref", "--quiet", "--short", "HEAD");
  // The branch of a repository without a commit is in no list.
  const branches = [current, ...(await ask("for-each-ref", "--format=%(refname:short)", "refs/heads")).split(/\r?\n/)];
  const usual = [...USUAL_BRANCHES, await ask("config", "--get", "init.defaultBranch")];
  const found = usual.find((name) => branches.includes(name) && isPlainBranch(name));
  if (found !== undefined) return { branch: found, isBranchGuessed: false };
  return isPlainBranch(current)
    ? { branch: current, isBranchGuessed: true }
    : { branch: DEFAULT_BRANCH, isBranchGuessed: false };
}

/** Whether a branch can be written as it is. What else git allows would need quoting, and nobody's default branch is called so. */
function isPlainBranch(branch: string): boolean {
  return /^[\w./-]+$/.test(branch);
}
