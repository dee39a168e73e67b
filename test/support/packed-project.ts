/** The package as `npm pack` makes it, and what a user does with it: for the end-to-end test and for `npm run prove:package`. */
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { projectRoot, quietEnvironment } from "./environment.ts";
import { type ProgramResult, runProgram } from "./run-program.ts";
import { writeFiles } from "./temporary-folder.ts";

/** What packing reads of a checkout. */
const PACKED = [
  ...[
    "indexer",
    "src",
    "schemas",
    "docs",
    "action.yml",
    "package.json",
    "tsconfig.base.json",
    "wrangler.toml",
    "README.md",
    "LICENSE",
  ],
];

/** Pages and code of a user's project; a language of each parser. */
const USER_FILES = {
  "docs/install.md": "# Install\n\nUse the package manager.\n\n## Limits\n\nThe rate limit is 100 requests a minute.\n",
  "src/widget.ts": "export function makeWidget(size: number): number {\n  return size + 1;\n}\n",
  "src/garden.py": "def grow(plant):\n    return plant\n",
  "src/shed.kt": "fun store(tool: String): String {\n    return tool\n}\n",
};

/** A program that Node runs, and where. */
export interface Installed {
  /** Path of Node. */
  readonly node: string;
  /** Folder of the project that has the package. */
  readonly folder: string;
}

/** Copy what packing reads, so that nobody sees a checkout whose manifest is another one for a while. @param copy Gets it. */
export function copyCheckout(copy: string): void {
  mkdirSync(copy, { recursive: true });
  for (const path of PACKED) cpSync(join(projectRoot, path), join(copy, path), { recursive: true });
  symlinkSync(realpathSync(join(projectRoot, "node_modules")), join(copy, "node_modules"));
}

/** `npm pack` in a folder. The result is the path of the tarball, in the folder `into`. */
export async function packIn(folder: string, into: string): Promise<string> {
  await mkdir(into, { recursive: true });
  const { exitCode, output } = await runProgram(
    "npm",
    ["pack", "--pack-destination", into, "--loglevel=error"],
    folder,
  );
  const name = /^treeline-.*\.tgz$/m.exec(output)?.[0];
  if (exitCode !== 0 || name === undefined) throw new Error(`npm pack failed:\n${output}`);
  return join(into, name);
}

/** A new project: its files, a tarball unpacked as a package of it, and packages of the checkout. Nothing is fetched. */
export async function unpackInto(folder: string, tarball: string): Promise<void> {
  await writeUserFiles(folder);
  const target = join(folder, "node_modules", "treeline");
  await mkdir(target, { recursive: true });
  const { exitCode, output } = await runProgram("tar", ["xzf", tarball, "-C", target, "--strip-components=1"]);
  if (exitCode !== 0) throw new Error(`tar failed: ${output}`);
  const { dependencies } = JSON.parse(readFileSync(join(target, "package.json"), "utf8")) as Record<string, object>;
  for (const name of Object.keys(dependencies ?? {})) linkPackage(folder, name);
}

/** Let a project have a package of the checkout. */
export function linkPackage(folder: string, name: string): void {
  const place = join(folder, "node_modules", name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(realpathSync(join(projectRoot, "node_modules", name)), place);
}

/** The files of a user's project. */
export function writeUserFiles(folder: string): Promise<void> {
  return writeFiles(folder, {
    "package.json": '{ "name": "garden", "private": true, "type": "module" }',
    ...USER_FILES,
  });
}

/** The command line of an installed package, as its manifest names it for `npx`. */
export function commandLineOf(folder: string): string {
  const home = join(folder, "node_modules", "treeline");
  const { bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { bin: { treeline: string } };
  return join(home, bin.treeline);
}

/** What the package writes on its own account stays in the project, so that tests leave nothing behind. */
export function environmentOf(folder: string): NodeJS.ProcessEnv {
  return { XDG_CACHE_HOME: join(folder, ".cache") };
}

/** Run a command of an installed package. */
export function runInstalled({ node, folder }: Installed, ...words: readonly string[]): Promise<ProgramResult> {
  return runProgram(node, [commandLineOf(folder), ...words], folder, environmentOf(folder));
}

/** Names of the tools that `treeline mcp` lists, and what a search through it answers. @param words Follow the command. */
export async function askOverStdio(
  { node, folder }: Installed,
  words: readonly string[],
  query: string,
): Promise<{ readonly tools: readonly string[]; readonly answer: string }> {
  const client = new Client({ name: "treeline-tests", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: node,
    args: [commandLineOf(folder), "mcp", ...words],
    cwd: folder,
    env: { ...quietEnvironment(), ...environmentOf(folder) } as Record<string, string>,
    stderr: "ignore",
  });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const ask = async (): Promise<string> => {
      const { content } = await client.callTool({ name: "search_documents", arguments: { query } });
      return JSON.stringify(content);
    };
    let answer = await ask();
    while (answer.includes('"indexing, ')) answer = await ask();
    return { tools: tools.map(({ name }) => name), answer };
  } finally {
    await client.close();
  }
}
