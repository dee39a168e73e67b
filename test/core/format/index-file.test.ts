import { posix, win32 } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isIndexFile } from "../../../src/core/format/generation.ts";
import { anyForeignName, anyIndexFile } from "../../support/index-names.ts";

describe("the name of an index file", () => {
  it("is 32 digits of a hash and a kind, and nothing else", () => {
    for (const kind of ["pack", "root", "manifest", "log"]) {
      fc.assert(fc.property(anyIndexFile(kind), (name) => isIndexFile(name)));
    }
    fc.assert(fc.property(anyForeignName, (name) => !isIndexFile(name)));
    const hash = "0a".repeat(16);
    for (const name of [`${hash}.pack\n`, ` ${hash}.pack`, `${hash}.`, hash, `${hash}f.pack`, `${hash}./../x.pack`]) {
      expect(isIndexFile(name)).toBe(false);
    }
  });

  it("leads nowhere, on any system", () => {
    fc.assert(
      fc.property(fc.oneof(anyForeignName, anyIndexFile("log")), (name) => {
        fc.pre(isIndexFile(name));
        for (const path of [posix, win32]) expect(path.dirname(path.join("/folder", name))).toBe(path.join("/folder"));
      }),
    );
  });
});
