import { decode } from "@toon-format/toon";
import { expect, it } from "vitest";
import { serveFiles } from "../../support/serve-files.ts";

const { ask, askJson } = await serveFiles({
  "src/run.ts": "export function run(): void {}\nexport function twice(): void {\n  run();\n}\n",
  "src/later.ts": 'import { twice } from "./run.ts";\n\nexport const later = twice.bind(null);\n',
  "test/run.test.ts":
    'import { run, twice } from "../src/run.ts";\ndeclare function describe(name: string, body: () => void): void;\n\ndescribe("run", () => {\n  run();\n  run();\n});\ntwice();\n',
});

it("has files whose top level calls among the callers, at the first call", async () => {
  const { text } = await ask("call_hierarchy", { symbol: "run", depth: 2 });
  expect(text).toContain("2 callers of code:src/run.ts#run");
  expect(text).toContain("  src/run.ts @2:17 Function - twice (1 call, precise)");
  expect(text).toContain("    test/run.test.ts @8:1 File - run.test.ts (1 call, precise)");
  expect(text).toContain("  test/run.test.ts @5:3 File - run.test.ts (2 calls, precise");
});

it("counts the places that pass a function on", async () => {
  const { text } = await ask("call_hierarchy", { symbol: "twice" });
  expect(text).toContain("1 place beside these may pass it on; references shows what uses it.");
  expect((await ask("call_hierarchy", { symbol: "run" })).text).not.toContain("beside these");
});

it("gives the same as JSON and as a table", async () => {
  const { children } = await askJson("call_hierarchy", { symbol: "run" });
  expect(children).toContainEqual({
    id: "code:test/run.test.ts",
    kind: "file",
    name: "run.test.ts",
    filePath: "test/run.test.ts",
    line: 5,
    column: 3,
    calls: 2,
    tier: "precise",
  });
  const { texts } = await ask("call_hierarchy", { symbol: "run", format: "toon" });
  expect((decode(texts[0] ?? "") as { calls: unknown[] }).calls).toContainEqual(
    expect.objectContaining({ symbol: "run.test.ts", kind: "file", file: "test/run.test.ts", line: 5, calls: 2 }),
  );
});

it("counts the calls that inspect counts", async () => {
  const { callerCount } = await askJson("inspect", { symbol: "run" });
  const { children } = await askJson("call_hierarchy", { symbol: "run" });
  expect((children as { calls: number }[]).reduce((sum, { calls }) => sum + calls, 0)).toBe(callerCount);
});
