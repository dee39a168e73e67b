/** SCIP indexes against the files of a corpus. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ScipDocument } from "../../../../indexer/link/scip/place-scip.ts";
import { placeScip, type SourceFile } from "../../../../indexer/link/scip/place-scip.ts";
import { hashSource } from "../../../../indexer/sources/read-file.ts";
import { encodeUtf8 } from "../../../../src/core/bytes/writer.ts";
import { InputError } from "../../../../src/core/errors.ts";
import { defines, encodeScip, scipDocument } from "../../../support/scip-index.ts";
import { makeFolder, writeFiles } from "../../../support/temporary-folder.ts";

const TEXT = "function open() {}\n";
const opens = (path: string): ScipDocument => scipDocument(path, { occurrences: [defines("p open().", 0, 9, 13)] });

/** Place documents on a collection `code` with these files, all of one text. */
async function place(paths: readonly string[], root: string, documents: readonly ScipDocument[], changed = "") {
  const dir = await makeFolder(Object.fromEntries(paths.map((path) => [path, TEXT])));
  const hash = hashSource(dir, paths[0] as string) as string;
  if (changed !== "") await writeFiles(dir, { [changed]: "other" });
  const find = (path: string): SourceFile | undefined =>
    paths.includes(path) ? { id: `code:${path}`, collection: "code", path, root: join(dir), hash } : undefined;
  const bytes = encodeScip({ projectRoot: root, documents });
  const {
    documents: placed,
    leftOut,
    diagnostics,
  } = await placeScip([{ name: "index.scip", bytes }], find, { maxFileBytes: 1_000_000 }, "code");
  const findings = diagnostics.map(({ severity, path, message }) => `${severity} ${path}: ${message}`);
  return { ids: placed.map(({ id }) => id), leftOut: [...leftOut], findings };
}

describe("placeScip", () => {
  it("finds files of the same folder, of one below it and of one above it, wherever the index was made", async () => {
    const same = await place(["src/a.ts", "src/b.ts"], "file:///ci/repo", [opens("src/a.ts"), opens("src/b.ts")]);
    expect(same).toEqual({ ids: ["code:src/a.ts", "code:src/b.ts"], leftOut: [], findings: [] });
    const below = await place(["pkg/a b/src/a.ts"], "file:///ci/repo/pkg/a%20b", [opens("src/a.ts")]);
    expect(below.ids).toEqual(["code:pkg/a b/src/a.ts"]);
    const above = await place(["src/a.ts"], "file:///ci/repo", [opens("pkg/b/src/b.ts"), opens("pkg/a/src/a.ts")]);
    expect(above.ids).toEqual(["code:src/a.ts"]);
    expect(above.findings).toHaveLength(1);
  });

  it("says which documents are no indexed files: absent, absolute and outside ones", async () => {
    const paths = ["gone.ts", "/src/a.ts", "../src/a.ts", "src//a.ts", "C:/src/a.ts", "src\\a.ts", ""];
    const { ids, findings } = await place(["src/a.ts"], "", [opens("src/a.ts"), ...paths.map(opens)]);
    expect(ids).toEqual(["code:src/a.ts"]);
    expect(findings).toEqual([
      'info : 7 of 8 documents of index.scip are no indexed source files: "gone.ts", "/src/a.ts", "../src/a.ts", …',
    ]);
  });

  it("leaves out files that were changed since, by name, and remembers what they define", async () => {
    const stale = scipDocument("b.ts", { occurrences: [defines("p close().", 0, 9, 13)] });
    const { ids, leftOut, findings } = await place(["a.ts", "b.ts"], "", [opens("a.ts"), stale]);
    expect(ids).toEqual(["code:a.ts"]);
    expect(leftOut).toEqual(["p close()."]);
    expect(findings).toEqual([
      'warning b.ts: index.scip does not match this file: "close" is not where it should be defined; its edges are left out until the SCIP index is made again',
    ]);
  });

  it("leaves out files that change while a build runs", async () => {
    const { ids, findings } = await place(["a.ts"], "", [opens("a.ts")], "a.ts");
    expect(ids).toEqual([]);
    expect(findings[0]).toContain("the file changed during this build");
  });

  it("refuses what is no index", async () => {
    const bytes = encodeUtf8("no index");
    const placed = placeScip([{ name: "a.scip", bytes }], () => undefined, { maxFileBytes: 1 }, "code");
    await expect(placed).rejects.toThrow(InputError);
  });
});
