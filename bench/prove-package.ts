/**
 * Prove that the package works for who installs it from npm: packed, installed by npm into an empty folder with all that it
 * depends on, used with the oldest Node that it promises, the newest of that line and this one; then served with wrangler,
 * which is added as the message says, and bundled as a Worker of the project's own.
 *
 *   npm run prove:package -- [TARBALL]
 *
 * Without a tarball it packs the checkout. Linux only: the Node versions come out of npm as well. Needs the network. Ends
 * with 1 where something does not work.
 */
import { statSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { ASSETS_PATH } from "../indexer/cli/deploy/run-wrangler.ts";
import { configFor } from "../indexer/cli/dev/worker-process.ts";
import { OLDEST_NODE } from "../indexer/cli/oldest-node.ts";
import { startDevOf } from "../test/support/dev-server.ts";
import { projectRoot } from "../test/support/environment.ts";
import {
  askOverStdio,
  commandLineOf,
  copyCheckout,
  environmentOf,
  type Installed,
  packIn,
  runInstalled,
  writeUserFiles,
} from "../test/support/packed-project.ts";
import { runProgram } from "../test/support/run-program.ts";
import { writeFiles } from "../test/support/temporary-folder.ts";

/** What `npm view` calls the newest of the oldest line. */
const NEWEST_OF_OLDEST = `^${OLDEST_NODE}`;
const WRANGLER = "wrangler@4.155.0";
/** All of the package with what it depends on. */
const MOST_INSTALLED_BYTES = 100_000_000;
/** A project's own settings: those of the package, with another entry. */
const OWN_ENTRY = "node_modules/treeline/dist/worker.js";

const [given] = process.argv.slice(2);
const work = await mkdtemp(join(tmpdir(), "treeline-prove-package-"));
let missed = 0;
try {
  const tarball = given === undefined ? await packCheckout() : resolve(given);
  const project = join(work, "project");
  await writeUserFiles(project);
  await must("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", tarball], project);
  const bytes = await sizeOf(join(project, "node_modules"));
  report("size", bytes < MOST_INSTALLED_BYTES, `${statSync(tarball).size} bytes packed, ${bytes} installed`);
  const nodes = [await fetchNode(OLDEST_NODE), await fetchNode(NEWEST_OF_OLDEST), process.execPath];
  for (const node of nodes) await proveCommands({ node, folder: project });
  await must("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", "--save-dev", WRANGLER], project);
  for (const node of [nodes[0] as string, process.execPath]) await proveServing({ node, folder: project });
  await proveDeployment(project);
} finally {
  await rm(work, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;

async function packCheckout(): Promise<string> {
  const copy = join(work, "checkout");
  copyCheckout(copy);
  return packIn(copy, join(work, "packed"));
}

/** Path of a Node that is fetched. @param range Version, or a range of which the newest is taken. */
async function fetchNode(range: string): Promise<string> {
  const folder = join(work, `node-${range}`);
  await mkdir(folder, { recursive: true });
  const name = `node-${process.platform}-${process.arch}@${range}`;
  const packed = await must("npm", ["pack", "--silent", name], folder);
  await must("tar", ["xzf", packed.trim(), "--strip-components=1"], folder);
  return join(folder, "bin", "node");
}

/** Every command that works without a server. */
async function proveCommands(installed: Installed): Promise<void> {
  const version = await versionOf(installed.node);
  const index = join(work, `index-${version}`);
  const built = await runInstalled(installed, "build", ".", "--out", index);
  report("build", built.output.includes("4 pages") && built.exitCode === 0, version, built.output);
  const found = await runInstalled(installed, "search", "rate limit", "--index", index);
  report("search", found.output.includes("docs/install.md"), version, found.output);
  const { tools, answer } = await askOverStdio(installed, ["--index", index], "makeWidget");
  report("mcp", tools.length > 5 && answer.includes("src/widget.ts"), `${version}, ${tools.length} tools`, answer);
  const refused = await runInstalled(installed, "dev", "docs");
  const asked = refused.exitCode === 1 && refused.output.includes("npm install --save-dev wrangler");
  report("dev", asked, `${version}, says how to add wrangler`, refused.output);
}

/** `treeline dev` with the bundled Worker. */
async function proveServing({ node, folder }: Installed): Promise<void> {
  const program = { node, cli: commandLineOf(folder), folder, environment: environmentOf(folder) };
  const server = await startDevOf(program, ["docs", "--port", "0", "--no-watch"]);
  const text = await fetch(`${server.url}/search?q=rate+limit`).then((response) => response.text());
  const code = await server.end("SIGTERM");
  report("serve", text.includes("install.md") && code === 0, await versionOf(node), text);
}

/** A project whose own `wrangler.toml` names the Worker of the package. */
async function proveDeployment(project: string): Promise<void> {
  const settings = await must("cat", ["node_modules/treeline/dist/wrangler.toml"], project);
  await writeFiles(project, { "wrangler.toml": configFor(settings, OWN_ENTRY, ASSETS_PATH) });
  const wrangler = join(project, "node_modules", "wrangler", "bin", "wrangler.js");
  const { exitCode, output } = await runProgram(process.execPath, [wrangler, "deploy", "--dry-run"], project);
  const upload = /Total Upload: .*/.exec(output)?.[0];
  report("deploy", exitCode === 0 && upload !== undefined, upload ?? "", output);
}

async function versionOf(node: string): Promise<string> {
  return (await must(node, ["--version"], work)).trim();
}

async function sizeOf(folder: string): Promise<number> {
  return Number.parseInt(await must("du", ["-sb", folder], dirname(folder)), 10);
}

async function must(program: string, words: readonly string[], folder = projectRoot): Promise<string> {
  const { exitCode, output } = await runProgram(program, words, folder);
  if (exitCode !== 0) throw new Error(`${program} ${words.join(" ")} failed:\n${output}`);
  return output;
}

function report(name: string, ok: boolean, what: string, output = ""): void {
  if (!ok) missed++;
  console.log(`${ok ? "ok" : "FAILED"} ${name} (${what})${ok ? "" : `\n${output}`}`);
}
