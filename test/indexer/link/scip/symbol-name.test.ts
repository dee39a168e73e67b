import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeDocument } from "../../../../indexer/link/scip/place-scip.ts";
import { defines, scipDocument } from "../../../support/scip-index.ts";

/** The name that is looked for where a symbol is defined; undefined where any will do. */
function nameOfSymbol(symbol: string): string | undefined {
  const document = scipDocument("a.ts", { occurrences: [defines(symbol, 0, 0, 1)] });
  const placed = placeDocument(document, "code:a.ts", "?", "0");
  return "reason" in placed ? JSON.parse(placed.reason.replace(/ is not where .*$/, "")) : undefined;
}

const PREFIX = "scip-typescript npm shop 1.0.0 src/`a.ts`/";

describe("the name of a symbol", () => {
  it.each([
    [`${PREFIX}Store#`, "Store"],
    [`${PREFIX}Store#open().`, "open"],
    [`${PREFIX}Store#open(+1).`, "open"],
    [`${PREFIX}limit.`, "limit"],
    [`${PREFIX}assert!`, "assert"],
    [`${PREFIX}Store#\`#hid\`.`, "#hid"],
    [`${PREFIX}Store#\`größe\`.`, "größe"],
    [`${PREFIX}Store#\`a\`\`b\`.`, "a`b"],
    [`${PREFIX}Store#\`\`\`b\`().`, "`b"],
  ])("takes the name of a declaration: %s", (symbol, name) => {
    expect(nameOfSymbol(symbol)).toBe(name);
  });

  it.each([
    "local 3",
    PREFIX,
    `${PREFIX}kids0:`,
    `${PREFIX}fill().(titles)`,
    `${PREFIX}Store#[T]`,
    `${PREFIX}Store#\`<constructor>\`().`,
    "`.",
    ".",
    "",
    "``().",
  ])("knows none where the source may say something else: %j", (symbol) => {
    expect(nameOfSymbol(symbol)).toBeUndefined();
  });

  it("takes any text", () => {
    const unit = fc.constantFrom("`", "(", ")", ".", "#", "a", " ", "/");
    fc.assert(fc.property(fc.string({ unit }), (symbol) => void nameOfSymbol(symbol)));
  });
});
