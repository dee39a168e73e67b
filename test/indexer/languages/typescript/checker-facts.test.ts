/** The shape of a file, over real programs. */
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { createKeys, shapeOf } from "../../../../indexer/languages/typescript/checker-facts.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

it("does not depend on what the checker met before", async () => {
  const dir = await makeFolder({
    "first.ts": 'export type First = "two" | "one";\n',
    "pick.ts": 'export const pick = (is: boolean) => (is ? "one" : "two");\n',
    "other.ts": 'export const pick = (is: boolean) => (is ? "one" : "three");\n',
  });
  const pick = (roots: readonly string[], file = "pick.ts") => {
    const program = ts.createProgram(
      roots.map((name) => join(dir, name)),
      { noEmit: true, strict: true },
    );
    const checker = program.getTypeChecker();
    for (const name of roots)
      checker.getTypeAtLocation((program.getSourceFile(join(dir, name)) as ts.SourceFile).statements[0] as ts.Node);
    const source = program.getSourceFile(join(dir, file)) as ts.SourceFile;
    return shapeOf({ checker, keysIn: createKeys(({ fileName }) => fileName.slice(dir.length)) }, source);
  };
  expect(pick(["first.ts", "pick.ts"])).toBe(pick(["pick.ts"]));
  expect(pick(["other.ts"], "other.ts")).not.toBe(pick(["pick.ts"]));
});
