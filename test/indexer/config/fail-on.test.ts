import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../indexer/config/config.ts";
import { findFailing, RULES, readFailOn } from "../../../indexer/config/fail-on.ts";
import { makeBuildLog } from "../../../indexer/index/build-log.ts";
import { SCAN_RULES } from "../../../indexer/scan/scanned-text.ts";
import type { LoggedFinding } from "../../../src/core/format/build-log.ts";
import { projectRoot } from "../../support/environment.ts";

const PLACE = { message: "", collection: "docs", path: "a.md", line: 1 };
const FINDINGS: readonly LoggedFinding[] = [
  { ...PLACE, severity: "error", code: "secret", tool: "scan" },
  { ...PLACE, severity: "warning", code: "broken-link" },
  { ...PLACE, severity: "info", code: "unknown-name" },
  { ...PLACE, severity: "warning", code: "no-var", tool: "ESLint" },
  { ...PLACE, severity: "warning", code: "secret", tool: "gitleaks" },
];
const LOG = { diagnostics: FINDINGS, skipped: [{ collection: "docs", path: "b.md", reason: "binary", message: "" }] };

function countOf(name: string): number {
  return findFailing(LOG, [name]).reduce((sum, { findings, skipped }) => sum + findings.length + skipped.length, 0);
}

describe("names to fail on", () => {
  it.each([
    ["error", 1],
    ["warning", 4],
    ["info", 5],
    ["secret", 1],
    ["scan", 1],
    ["treeline", 2],
    ["broken-link", 1],
    ["broken-anchor", 0],
    ["skipped", 1],
    ["report:eslint", 1],
    ["report:no-var", 1],
    ["report:secret", 1],
  ])("stand for findings: %s", (name, count) => {
    expect(countOf(name)).toBe(count);
  });

  it("are read as lists, each once", () => {
    expect(readFailOn(["secret, error", "secret"])).toEqual(["secret", "error"]);
    expect(readFailOn([])).toEqual([]);
  });

  it.each([
    ["secrets", "secret"],
    ["eror", "error"],
    ["suspicious-instructions", "suspicious-instruction"],
  ])("that do not exist are refused with the nearest: %s", (name, near) => {
    expect(() => readFailOn([name])).toThrow(expect.objectContaining({ nearest: expect.arrayContaining([near]) }));
    expect(() => parseConfig(`{"failOn": ["${name}"]}`)).toThrow(`did you mean "${near}"?`);
  });

  it.each(["", "report:", "secret,"])("cannot be empty: %j", (name) => {
    expect(() => readFailOn([name])).toThrow("--fail-on cannot take");
  });

  it("are all rules that the indexer knows", () => {
    const folder = join(projectRoot, "indexer");
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(folder, name), "utf8"));
    const calls = /(?:severity: [^{}]{1,80}code: |\b(?:warn|report)\((?:[\w.]+,\s*){0,3}\s*)"([a-z]+(?:-[a-z0-9]+)+)"/g;
    const written = sources.flatMap((source) => [...source.matchAll(calls)].map(([, rule]) => rule));
    expect(written.length).toBeGreaterThan(25);
    expect(written.filter((rule) => !(RULES as readonly (string | undefined)[]).includes(rule))).toEqual([]);
    expect(RULES).toEqual(expect.arrayContaining([...SCAN_RULES]));
    expect(RULES).toEqual([...RULES].sort());
  });
});

describe("the build log", () => {
  it("keeps findings of each rule, however many there are of others", () => {
    const many = Array.from({ length: 12_000 }, (_, line) => ({ ...FINDINGS[1], line }) as LoggedFinding);
    const rare = { ...PLACE, severity: "info", code: "hidden-text", tool: "scan" } as const;
    const log = makeBuildLog([], [...many, rare], []);
    expect(log.diagnosticCount).toBe(12_001);
    expect(log.diagnostics).toHaveLength(2_000);
    expect(log.diagnostics.at(-1)).toEqual(rare);
  });
});
