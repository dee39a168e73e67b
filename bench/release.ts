/**
 * Prepares a release: version, change log, the constant that says there is one, commit, tags and the package's file.
 *
 *   npm run release -- VERSION [--dry-run]
 *
 * Nothing is pushed or published: the last lines say the commands for that.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { packageRoot } from "../indexer/base/installation.ts";

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;
const UNRELEASED = "## Unreleased\n";

/**
 * The files that a release changes, as they will be.
 *
 * @param day Date of the release, `2026-01-31`.
 * @throws {Error} for a version that is none or not newer, and for files that do not say what is expected.
 */
export function planRelease(root: string, version: string, day: string) {
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const { version: before } = JSON.parse(read("package.json")) as { readonly version: string };
  if (!VERSION.test(version)) throw new Error(`${version} is no version: three numbers, such as 0.2.0`);
  if (compareVersions(version, before) < 0) throw new Error(`${version} is older than ${before}`);
  const change = (path: string, from: string, to: string): { path: string; text: string } => {
    const text = read(path);
    if (!text.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)}`);
    return { path, text: text.replace(from, () => to) };
  };
  const lock = JSON.parse(read("package-lock.json")) as { version: string; packages: { "": { version: string } } };
  lock.version = version;
  lock.packages[""].version = version;
  const [, constant = ""] = /(export const RELEASE: string = ".*";)/.exec(read("indexer/base/installation.ts")) ?? [];
  return [
    change("package.json", `"version": "${before}"`, `"version": "${version}"`),
    { path: "package-lock.json", text: `${JSON.stringify(lock, null, 2)}\n` },
    change("CHANGELOG.md", UNRELEASED, `${UNRELEASED}\n## ${version} (${day})\n`),
    change("indexer/base/installation.ts", constant, `export const RELEASE: string = "${version}";`),
  ];
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  const at = left?.findIndex((part, index) => part !== right?.[index]) ?? -1;
  return at < 0 ? 0 : (left?.[at] ?? 0) - (right?.[at] ?? 0);
}

function release(version: string, isDry: boolean): void {
  const files = planRelease(packageRoot, version, new Date().toISOString().slice(0, 10));
  const [tag, major] = [`v${version}`, `v${version.split(".")[0]}`];
  const run = (program: string, ...words: string[]): string =>
    execFileSync(program, words, { cwd: packageRoot, encoding: "utf8" }).trim();
  const steps: (readonly [string, ...string[]])[] = [
    ["git", "commit", "--quiet", "--message", `Release ${version}`, "--", ...files.map(({ path }) => path)],
    ["git", "tag", tag],
    ["npm", "pack"],
  ];
  if (!isDry && run("git", "status", "--porcelain") !== "") throw new Error("commit or stash what was changed first");
  for (const { path, text } of files) {
    console.log(`${isDry ? "would change" : "changes"} ${path}`);
    if (!isDry) writeFileSync(join(packageRoot, path), text);
  }
  for (const [program, ...words] of steps) {
    console.log(`${isDry ? "would run" : "runs"} ${program} ${words.join(" ")}`);
    if (!isDry) run(program, ...words);
  }
  console.log(
    [
      "Then:",
      `  git push origin HEAD ${tag}`,
      `The workflow "release" tests it, publishes it to npm and moves the tag ${major}.`,
      `The Action is treeline-dev/treeline@${major}, the schema https://raw.githubusercontent.com/treeline-dev/treeline/${major}/schemas/config.schema.json.`,
    ].join("\n"),
  );
}

if (import.meta.main) {
  const [version = "", option] = process.argv.slice(2);
  try {
    release(version, option === "--dry-run");
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
