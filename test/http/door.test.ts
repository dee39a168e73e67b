import fc from "fast-check";
import { getPath } from "hono/utils/url";
import { describe, expect, it } from "vitest";
import { METADATA_PATH, openDoor } from "../../src/http/addresses.ts";
import { isCorpusName } from "../../src/surface/access/corpus-name.ts";
import { runs } from "../support/runs.ts";

const at = (path: string) => openDoor(new Request(`https://x.test${path}`));

describe("the door", () => {
  it.each([
    ["/mcp", "", "/mcp"],
    ["/search?q=v2/mcp", "", "/search"],
    ["/s/HANDLE/mcp", "", "/s/HANDLE/mcp"],
    ["/v2/mcp", "v2", "/mcp"],
    ["/v2/s/HANDLE/mcp", "v2", "/s/HANDLE/mcp"],
    ["/2.0/tree/docs:guide/a.md?x=1", "2.0", "/tree/docs:guide/a.md"],
    ["/v2", "v2", "/"],
    ["/v2/", "v2", "/"],
    ["/v2?q=a", "v2", "/"],
    ["/", "", "/"],
    ["//v2/mcp", "", "//v2/mcp"],
    ["/v2//mcp", "v2", "//mcp"],
    ["/v2/v1/mcp", "v2", "/v1/mcp"],
    ["/V2/mcp", "", "/V2/mcp"],
    ["/%762/mcp", "", "/v2/mcp"],
    ["/v2%2Fmcp", "", "/v2%2Fmcp"],
    ["/.well-known/ai-catalog.json", "", "/.well-known/ai-catalog.json"],
    ["/.well-known/oauth-protected-resource/mcp", "", "/.well-known/oauth-protected-resource/mcp"],
    ["/.well-known/oauth-protected-resource/v2/mcp", "v2", "/.well-known/oauth-protected-resource/mcp"],
    ["/.well-known/oauth-protected-resource/v2", "v2", "/.well-known/oauth-protected-resource"],
  ])("leads %s to the corpus %j and the path %s", (address, corpus, path) => {
    expect(at(address)).toEqual({ corpus, path });
  });

  it("takes off nothing but a name, so that every address has one meaning", () => {
    const segment = fc.oneof(
      fc.constantFrom("v2", "mcp", "s", "search", "..", METADATA_PATH.slice(1), ""),
      fc.webSegment(),
    );
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), (segments) => {
        const { pathname } = new URL(`https://x.test/${segments.join("/")}`);
        const { corpus, path } = at(pathname);
        if (corpus === "") return;
        expect(isCorpusName(corpus)).toBe(true);
        const own = `/${corpus}${path === "/" ? "" : path}`;
        expect(at(own).corpus).toBe(corpus);
        expect(at(own).path).toBe(path);
        // What was taken off and what is left make up the address that was asked.
        const asked = [own, ...(path === "/" ? [`${own}/`] : [])];
        const behind = path.startsWith(METADATA_PATH) ? path.slice(METADATA_PATH.length) : undefined;
        if (behind !== undefined) asked.push(`${METADATA_PATH}/${corpus}${behind}`);
        expect(asked).toContain(getPath(new Request(`https://x.test${pathname}`)));
      }),
      { numRuns: runs(500) },
    );
  });
});
