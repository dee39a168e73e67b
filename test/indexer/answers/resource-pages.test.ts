/** The list of resources of an index with more documents than a page of it holds. */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { listResources } from "../../../src/mcp/resources.ts";
import { serveFiles } from "../../support/serve-files.ts";

const DOCUMENTS = 401;
const FIXED = 2;

function pages(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, at) => `page-${String(at).padStart(4, "0")}.md`);
  return Object.fromEntries(names.map((name) => [name, `# ${name}\n\nText.\n`]));
}

describe("the list of resources", () => {
  it("holds every document once, page by page, and each cursor for its own index alone", async () => {
    const { services } = await serveFiles(pages(DOCUMENTS));
    const uris: string[] = [];
    const sizes: number[] = [];
    const cursors: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listResources(cursor, services);
      expect(await listResources(cursor, services)).toEqual(page);
      uris.push(...page.resources.map(({ uri }) => uri));
      sizes.push(page.resources.length);
      cursor = page.nextCursor;
      if (cursor !== undefined) cursors.push(cursor);
    } while (cursor !== undefined);
    expect(sizes).toEqual([200 + FIXED, 200, 1]);
    expect(new Set(uris).size).toBe(DOCUMENTS + FIXED);
    expect(uris.slice(FIXED)).toEqual(uris.slice(FIXED).toSorted());

    const other = await serveFiles(pages(DOCUMENTS + 1));
    const refused = await listResources(cursors[0], other.services).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ProtocolError);
    expect(refused).toMatchObject({ code: ProtocolErrorCode.InvalidParams });
  });
});
