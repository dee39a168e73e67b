/**
 * Source and documentation trees of `trees.json`. The clients of npm and Debian fetch them; nothing of them is run.
 */
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve, sep } from "node:path";
import { z } from "zod";

const VERSION = z.string().regex(/^\d[A-Za-z0-9.+:~-]*$/);
const PACKAGE = z.string().regex(/^[a-z0-9][a-z0-9+.-]+$/);

const TREE = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  /** Languages, documentation tools and traits that the tree stands for. */
  kinds: z.array(z.string()).nonempty(),
  source: z.union([
    z.strictObject({
      npm: z.string().regex(/^(@[a-z0-9._-]+\/)?[a-z0-9][a-z0-9._-]*@\d+\.\d+\.\d+[A-Za-z0-9.+-]*$/),
      integrity: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/),
    }),
    z.strictObject({ debian: PACKAGE, version: VERSION }),
    z.strictObject({ debianSource: PACKAGE, version: VERSION }),
  ]),
  /** Folder inside the unpacked package that is built. `*` matches within one name, as versions do. */
  root: z
    .string()
    .refine((root) => root.split("/").every((part) => !["", ".", ".."].includes(part)))
    .exactOptional(),
  /** Runs in CI. */
  small: z.literal(true).exactOptional(),
  /** May take more than 60 seconds. */
  slow: z.literal(true).exactOptional(),
  /** Written into the root as `treeline.config.json`. */
  config: z.looseObject({}).exactOptional(),
});

/** One entry of `trees.json`. */
export type WorldTree = z.infer<typeof TREE>;

/** Thrown when a tree cannot be had on this machine: no client, no network, or the package is gone. */
export class NotHere extends Error {
  override readonly name = "NotHere";
}

const LIST = new URL("trees.json", import.meta.url);
const TIMEOUT_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** The listed trees. @throws {Error} when the list is invalid */
export function readTrees(): WorldTree[] {
  const trees = z.array(TREE).parse(JSON.parse(readFileSync(LIST, "utf8")));
  const names = trees.map((tree) => tree.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`trees.json: two trees are named ${twice}`);
  return trees;
}

/**
 * Folder of a tree, and the version that was unpacked. Cached under `cacheDir`; several processes may fetch at once.
 * @throws {NotHere} when this machine cannot fetch it
 */
export async function fetchTree(
  tree: WorldTree,
  cacheDir: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ dir: string; version: string }> {
  const { name, source, root, config } = tree;
  const hash = createHash("sha256").update(JSON.stringify([source, root, config]));
  const place = join(resolve(cacheDir), `${name}-${hash.digest("hex").slice(0, 8)}`);
  const read = () => ({ dir: join(place, "tree"), version: readFileSync(join(place, "version"), "utf8") });
  if (existsSync(place)) return read();
  await writeFolder(place, async (partial) => {
    const whole = join(partial, "whole");
    mkdirSync(whole);
    const fetched = await unpackSource(tree, partial, whole, { cacheDir: resolve(cacheDir), env });
    const built = findRoot(whole, root);
    if (built === undefined) throw new NotHere(`${name}: version ${fetched} has no folder ${root}`);
    renameSync(built, join(partial, "tree"));
    rmSync(whole, { recursive: true, force: true });
    removeOutwardLinks(realpathSync(join(partial, "tree")));
    if (config) writeFileSync(join(partial, "tree", "treeline.config.json"), `${JSON.stringify(config)}\n`);
    writeFileSync(join(partial, "version"), fetched);
  });
  return read();
}

/** Writes a folder under a temporary name, then renames it. A process that loses the race uses the winner's. */
async function writeFolder(place: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${place}.${randomUUID()}`;
  mkdirSync(partial, { recursive: true });
  try {
    await write(partial);
    try {
      renameSync(partial, place);
    } catch (error) {
      if (!existsSync(place)) throw error;
    }
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

interface Machine {
  readonly cacheDir: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Downloads into `folder` and unpacks into `whole`. Returns the version. */
async function unpackSource(
  { source, root }: WorldTree,
  folder: string,
  whole: string,
  machine: Machine,
): Promise<string> {
  if ("npm" in source) {
    // A registry that does not answer must not hold up the trees that come from elsewhere.
    const patience = ["--fetch-retries=1", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"];
    const pack = [
      "pack",
      "--loglevel=error",
      "--ignore-scripts",
      ...patience,
      "--pack-destination",
      folder,
      source.npm,
    ];
    await run("npm", pack, folder, machine.env);
    const archive = join(folder, findFile(folder, ".tgz"));
    const integrity = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
    if (integrity !== source.integrity) throw new Error(`${source.npm}: ${integrity}, expected ${source.integrity}`);
    await untar(archive, whole, machine.env);
    return source.npm.slice(source.npm.lastIndexOf("@") + 1);
  }
  const apt = await readLists(machine);
  if ("debian" in source) {
    await run("apt-get", [...apt, "download", source.debian], folder, machine.env);
    const archive = findFile(folder, ".deb");
    const files = join(folder, "files.tar");
    await run("dpkg", ["--fsys-tarfile", join(folder, archive)], folder, machine.env, files);
    // Some packages hold far more than the root: only what lies below it is unpacked, as far as its name has no `*`.
    const parts = ["."];
    for (const part of root?.split("/") ?? []) {
      if (part.includes("*")) break;
      parts.push(part);
    }
    await run("tar", ["-xf", files, "-C", whole, "--no-same-owner", parts.join("/")], folder, machine.env);
    // NAME_VERSION_ARCHITECTURE.deb, where the colon of an epoch is escaped.
    return decodeURIComponent(archive.split("_")[1] ?? "");
  }
  // Debian's own changes are not needed, so only the archives are downloaded.
  const download = [...apt, "source", "--download-only", "--tar-only", source.debianSource];
  await run("apt-get", download, folder, machine.env);
  // NAME_VERSION.orig.tar.gz; a package that is only for Debian has no ".orig". Others are components, such as `.orig-vendor`.
  const pattern = /^[^_]+_([^_]+?)(?:\.orig)?\.tar\.[a-z0-9]+$/;
  const archive = readdirSync(folder).find((file) => pattern.test(file) && !file.includes(".orig-"));
  const version = pattern.exec(archive ?? "")?.[1];
  if (archive === undefined || version === undefined) throw new NotHere(`${source.debianSource}: no source archive`);
  await untar(join(folder, archive), whole, machine.env);
  return version;
}

function findFile(folder: string, ending: string): string {
  const found = readdirSync(folder).find((file) => file.endsWith(ending));
  if (found === undefined) throw new NotHere(`the client wrote no ${ending} file`);
  return found;
}

/** Unpacks an archive without the folder that most have on top. */
async function untar(archive: string, whole: string, env: NodeJS.ProcessEnv): Promise<void> {
  const unpacked = `${whole}.all`;
  mkdirSync(unpacked);
  await run("tar", ["-xf", archive, "-C", unpacked, "--no-same-owner", "--delay-directory-restore"], unpacked, env);
  const [top, ...others] = readdirSync(unpacked);
  const isWrapped = top !== undefined && others.length === 0 && lstatSync(join(unpacked, top)).isDirectory();
  rmSync(whole, { recursive: true });
  renameSync(isWrapped ? join(unpacked, top) : unpacked, whole);
}

/** Options that make apt read package lists of its own. The system's configuration and lists stay as they are. */
async function readLists({ cacheDir, env }: Machine): Promise<string[]> {
  const place = join(cacheDir, `apt-lists-${Math.floor(Date.now() / DAY_MS)}`);
  const options = (folder: string) => [
    ...["-q", "-y", "-o", `Dir::Etc::sourcelist=${folder}/none.list`, "-o", `Dir::Etc::sourceparts=${folder}/sources`],
    ...["-o", `Dir::State::lists=${folder}/lists`, "-o", `Dir::Cache=${folder}/cache`],
    ...["-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=", "-o", "APT::Sandbox::User=root"],
  ];
  if (!existsSync(place)) {
    await writeFolder(place, async (partial) => {
      for (const folder of ["sources", "lists/partial", "cache/archives/partial"]) {
        mkdirSync(join(partial, folder), { recursive: true });
      }
      copySystemSources(join(partial, "sources"));
      await run("apt-get", [...options(partial), "update"], partial, env);
    });
  }
  return options(place);
}

/** Copies the system's package sources, with source packages added to each. */
function copySystemSources(folder: string): void {
  const listed = existsSync("/etc/apt/sources.list.d") ? readdirSync("/etc/apt/sources.list.d") : [];
  const files = ["/etc/apt/sources.list", ...listed.map((file) => `/etc/apt/sources.list.d/${file}`)];
  for (const [index, file] of files.entries()) {
    const ending = /\.(list|sources)$/.exec(file)?.[0];
    if (ending === undefined || !existsSync(file)) continue;
    const text = readFileSync(file, "utf8");
    const both =
      ending === ".list"
        ? text.replace(/^[ \t]*deb[ \t].*$/gm, (line) => `${line}\n${line.replace("deb", "deb-src")}`)
        : text.replace(/^Types:.*$/gim, "Types: deb deb-src");
    writeFileSync(join(folder, `${index}${ending}`), both);
  }
}

/** Folder that `root` names, where `*` in it matches any part of one name. */
function findRoot(whole: string, root: string | undefined): string | undefined {
  let folder = whole;
  for (const part of root === undefined ? [] : root.split("/")) {
    const pattern = new RegExp(`^${part.replace(/[.+()]/g, "\\$&").replaceAll("*", ".*")}$`);
    const found = readdirSync(folder, { withFileTypes: true }).filter(
      (it) => it.isDirectory() && pattern.test(it.name),
    );
    if (found.length === 0) return undefined;
    folder = join(folder, found.map((it) => it.name).sort()[0] ?? "");
  }
  return folder;
}

/** Removes links that are broken or lead out of the tree, so that no build reads files of this machine. */
function removeOutwardLinks(tree: string, folder = tree): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeOutwardLinks(tree, path);
    else if (entry.isSymbolicLink() && !(existsSync(path) && realpathSync(path).startsWith(tree + sep))) rmSync(path);
  }
}

/** Runs a program; its output goes to a file if one is named. @throws {NotHere} when it is missing or fails */
async function run(
  program: string,
  parameters: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  outputFile?: string,
): Promise<void> {
  const output = outputFile === undefined ? undefined : openSync(outputFile, "w");
  try {
    const child = spawn(program, parameters, {
      cwd,
      env: { ...env, LC_ALL: "C" },
      timeout: TIMEOUT_MS,
      stdio: ["ignore", output ?? "ignore", "pipe"],
    });
    let messages = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      messages += text;
    });
    const [code, signal] = await once(child, "close");
    if (code === 0) return;
    const lines = messages.split("\n").filter((line) => /^(E:|npm error|tar:|dpkg)/.test(line));
    const reason = lines.slice(0, 3).join(" ") || `fails with ${code ?? signal}`;
    throw new NotHere(`${program} ${parameters.at(-1)}: ${reason}`);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new NotHere(`${program} is not on PATH`);
    }
    throw error;
  } finally {
    if (output !== undefined) closeSync(output);
  }
}
