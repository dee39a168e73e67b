/** What the package declares of the Worker is what the Worker exports. */
import { expect, it } from "vitest";
import type * as declared from "../../indexer/package/worker.d.ts";
import * as worker from "../../src/worker/worker.ts";

it("the Worker has every export that the package declares, in its type, and no other", () => {
  // Assigning is the test of the types: `npm run check:types` makes it.
  const asDeclared: Pick<typeof declared, "default" | "IndexFiles" | "QueryInsights" | "TreelineSession"> = worker;
  expect(Object.keys(asDeclared).sort()).toEqual(["IndexFiles", "QueryInsights", "TreelineSession", "default"]);
});
