/** Tests of the heap that grammars share. They load our modules anew, so no others may stand beside them. */
import { expect, it, onTestFinished, vi } from "vitest";

/** In Python a text of which each half may be read in many ways, all at once. */
const EXPLOSIVE = `${"/*".repeat(1_000)}${"*/".repeat(1_000)}`;

it("a heap that ran out leaves nothing to a copy of our modules, such as tests make that replace one", async () => {
  onTestFinished(() => {
    vi.resetModules();
  });
  for (let copy = 0; copy < 2; copy++) {
    vi.resetModules();
    const { loadedGrammar, loadGrammar } = await import("../../../../indexer/parse/code/grammars.ts");
    const { parseBounded } = await import("../../../../indexer/parse/code/grammars.ts");
    await loadGrammar("python");
    const hasErrorIn = (text: string): boolean =>
      parseBounded(loadedGrammar("python"), text, ({ rootNode }) => rootNode.hasError);
    expect(hasErrorIn("x = 1\n")).toBe(false);
    expect(() => hasErrorIn(EXPLOSIVE)).toThrow("too much memory");
  }
});
