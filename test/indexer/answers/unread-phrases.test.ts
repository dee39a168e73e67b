import { describe, expect, it } from "vitest";
import { callTool } from "../../../src/mcp/call.ts";
import { offeredTools } from "../../../src/mcp/profiles.ts";
import { createSigningKeys } from "../../../src/surface/access/signing-keys.ts";
import { buildPages } from "../../support/build-index.ts";

describe("search_documents for a phrase", () => {
  it("does not say that there is nothing where documents that may hold it were not read", async () => {
    const filler = Array.from({ length: 400 }, (_, n) => `filler${n}`).join(" ");
    const pages = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [`p${n}.md`, `# P${n}\n\nThe alpha. An alpha is ${filler}.\n`]),
    );
    const open = await (await buildPages(pages)).open();
    const { content } = await callTool(
      offeredTools(),
      "search_documents",
      { query: '"the alpha is"' },
      {
        withReader: async (run) => ({ value: await run(open.reader) }),
        signingKeys: createSigningKeys("test"),
        now: 0,
        report: (problem) => {
          throw new Error(JSON.stringify(problem));
        },
      },
    );
    const text = content.map((block) => block.text).join("\n");
    expect(text).toMatch(/^Nothing found so far for "\\"the alpha is\\""\./);
    expect(text).toMatch(/\d+ documents further down were not read and may hold the phrase/);
    expect(text).not.toContain("Found 0 documents");
    expect(text).not.toContain("Try other or fewer words");
    expect(text).toContain("cursor");
  });
});
