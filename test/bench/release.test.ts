/** What a release changes, and that a dry run changes nothing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { planRelease } from "../../bench/release.ts";
import { projectRoot } from "../support/environment.ts";
import { runProgram } from "../support/run-program.ts";

const FILES = ["package.json", "package-lock.json", "CHANGELOG.md", "indexer/base/installation.ts"];
const read = (path: string): string => readFileSync(join(projectRoot, path), "utf8");

describe("a release", () => {
  it("changes version, lock file, change log and the constant that says there is one", () => {
    const files = planRelease(projectRoot, "7.8.9", "2026-01-31");
    expect(files.map(({ path }) => path)).toEqual(FILES);
    const [manifest, lock, changes, constant] = files.map(({ text }) => text);
    for (const text of [manifest, lock]) expect(JSON.parse(text ?? "")).toMatchObject({ version: "7.8.9" });
    expect(changes).toContain("## Unreleased\n\n## 7.8.9 (2026-01-31)\n");
    expect(constant).toContain('export const RELEASE: string = "7.8.9";');
    // Nothing else in the lock file moves.
    const { version } = JSON.parse(read("package.json")) as { version: string };
    expect(lock?.replaceAll("7.8.9", version)).toBe(read("package-lock.json"));
  });

  it("refuses what is no newer version", () => {
    expect(() => planRelease(projectRoot, "0.0.9", "2026-01-31")).toThrow("is older than");
    expect(() => planRelease(projectRoot, "v1", "2026-01-31")).toThrow("three numbers");
  });

  it("is shown by a dry run, which changes nothing", async () => {
    const before = FILES.map(read);
    const { exitCode, output } = await runProgram(process.execPath, [
      join(projectRoot, "bench/release.ts"),
      ...["7.8.9", "--dry-run"],
    ]);
    expect(exitCode).toBe(0);
    for (const line of ["would change CHANGELOG.md", "would run git tag v7.8.9", "would run npm pack", "v7/schemas/"]) {
      expect(output).toContain(line);
    }
    expect(FILES.map(read)).toEqual(before);
  });
});
