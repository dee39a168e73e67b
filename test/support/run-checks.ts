/**
 * `npm run check`: everything that is checked without running the product, one line each.
 *
 * `npm run check -- types imports` runs only those. Exits with 1 when a check fails, 2 when it does not know one.
 */
import process from "node:process";
import { type CheckResult, checks } from "./checks.ts";

process.exitCode = await main(process.argv.slice(2));

async function main(wanted: readonly string[]): Promise<number> {
  const unknown = wanted.filter((name) => !checks.has(name));
  if (unknown.length > 0) {
    process.stderr.write(`unknown check ${unknown.join(", ")}; there are: ${[...checks.keys()].join(", ")}\n`);
    return 2;
  }
  const names = wanted.length > 0 ? wanted : [...checks.keys()];
  const results = await Promise.all(names.map(runCheck));
  return results.every((ok) => ok) ? 0 : 1;
}

async function runCheck(name: string): Promise<boolean> {
  const start = performance.now();
  const result = await attempt(name);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const line = `${result.ok ? "ok" : "FAILED"} ${name} (${seconds} s): ${result.summary}\n`;
  process.stdout.write(result.ok ? line : `${line}${result.output.trimEnd()}\n`);
  return result.ok;
}

async function attempt(name: string): Promise<CheckResult> {
  try {
    return (await checks.get(name)?.()) ?? { ok: false, summary: "there is no such check", output: "" };
  } catch (error) {
    return {
      ok: false,
      summary: "the check itself failed",
      output: error instanceof Error ? (error.stack ?? "") : String(error),
    };
  }
}
