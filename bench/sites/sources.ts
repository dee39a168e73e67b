/**
 * Pages of real sites: from packages of npm, from packages of Debian and their sources, or from a folder that is given.
 */
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { projectRoot } from "../../test/support/environment.ts";
import { runProgram } from "../../test/support/run-program.ts";
import { must, type Source } from "./site.ts";

/** Fetch pages into a folder. @throws {Error} which says how to give them instead. */
export async function fetchSource(source: Source, into: string, name: string): Promise<string> {
  if ("own" in source) return join(projectRoot, source.own);
  await mkdir(into, { recursive: true });
  try {
    if ("npm" in source) await fetchNpm(source.npm, into);
    else if ("debian" in source) await fetchDebian(source.debian, into);
    else if ("debianSource" in source) await fetchDebianSource(source.debianSource, into);
    else throw new Error(`it is ${source.folder}`);
    return into;
  } catch (error) {
    throw new Error(`the pages of ${name} cannot be fetched; give them with --source ${name}=FOLDER\n${String(error)}`);
  }
}

/** Make sure that packages of Debian are installed. @throws {Error} which says how to install them. */
export async function installPackages(packages: readonly string[]): Promise<void> {
  const missing: string[] = [];
  for (const name of packages) {
    const { output } = await runProgram("sh", ["-c", `dpkg-query -W -f '\${Status}' ${name}`]);
    if (!output.includes("install ok installed")) missing.push(name);
  }
  if (missing.length === 0) return;
  const words = ["install", "-y", "--no-install-recommends", ...missing];
  if (process.getuid?.() !== 0) throw new Error(`packages are missing; run as root: apt-get ${words.join(" ")}`);
  const environment = { DEBIAN_FRONTEND: "noninteractive" };
  const { exitCode } = await runProgram("apt-get", words, "/", environment);
  if (exitCode === 0) return;
  // Lists of packages may be missing or old.
  await must("apt-get", ["update"], "/", environment);
  await must("apt-get", words, "/", environment);
}

async function fetchNpm(packages: Readonly<Record<string, string>>, into: string): Promise<void> {
  for (const [name, wanted] of Object.entries(packages)) {
    const folder = join(into, name);
    await mkdir(folder, { recursive: true });
    const packed = await must("npm", ["pack", wanted, "--silent"], folder);
    await must("tar", ["xzf", packed.trim().split("\n").at(-1) as string, "--strip-components=1"], folder);
  }
}

async function fetchDebian(packages: readonly string[], into: string): Promise<void> {
  await must("apt-get", ["download", ...packages], into);
  for (const file of await readdir(into)) if (file.endsWith(".deb")) await must("dpkg", ["-x", file, into], into);
}

/** The machine's list of places, asked for sources, with lists of its own: the machine's stay as they are. */
async function fetchDebianSource(name: string, into: string): Promise<void> {
  const lists = join(into, "lists");
  await mkdir(join(lists, "partial"), { recursive: true });
  const place = "/etc/apt/sources.list.d/debian.sources";
  const text = await readFile(place, "utf8").catch(() => "");
  const own = join(into, text === "" ? "own.list" : "own.sources");
  if (text === "") {
    await copyFile("/etc/apt/sources.list", own);
    await writeFile(own, (await readFile(own, "utf8")).replace(/^deb\s/gm, "deb-src "));
  } else {
    await writeFile(own, text.replace(/^Types:.*$/gm, "Types: deb-src"));
  }
  const settings = [`Dir::Etc::sourcelist=${own}`, "Dir::Etc::sourceparts=-", `Dir::State::lists=${lists}`];
  const options = settings.flatMap((setting) => ["-o", setting]);
  await must("apt-get", [...options, "update"], into);
  await must("apt-get", [...options, "source", "--download-only", "--tar-only", name], into);
  const file = (await readdir(into)).find((one) => /\.orig\.tar\.\w+$/.test(one));
  if (file === undefined) throw new Error(`no sources of ${name} in Debian`);
  await must("tar", ["xf", file, "--strip-components=1"], into);
}
