import { describe, expect, it } from "vitest";
import { makeDocumentId, splitNodeId } from "../../../src/core/docs/node-id.ts";
import { makeSymbolId } from "../../../src/core/format/code-model.ts";

describe("ids of symbols", () => {
  it("fall into the file's id and the way to the symbol, whatever signs both hold", () => {
    for (const path of ["src/store.ts", "a#b/c%20.ts"]) {
      const id = makeDocumentId("code", path);
      for (const way of ["Store.open", "A.#hidden~2", "operator%"]) {
        expect(splitNodeId(makeSymbolId({ id }, { path: way }))).toEqual({ documentId: id, section: way });
      }
    }
  });
});
