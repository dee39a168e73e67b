import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveAddress } from "../../../src/web/box/answer-rows.ts";
import { runs } from "../../support/runs.ts";

const PAGE = "https://docs.example.com/guide/start?x=1#top";

describe("resolveAddress", () => {
  it("takes addresses of pages, in full and relative ones", () => {
    expect(resolveAddress("https://example.org/a#b", PAGE)).toBe("https://example.org/a#b");
    expect(resolveAddress("http://example.org/", PAGE)).toBe("http://example.org/");
    expect(resolveAddress("install#linux", PAGE)).toBe("https://docs.example.com/guide/install#linux");
    expect(resolveAddress("/install", PAGE)).toBe("https://docs.example.com/install");
    expect(resolveAddress("//cdn.example.com/x", PAGE)).toBe("https://cdn.example.com/x");
  });

  it("leads nowhere for anything else", () => {
    const hostile = [
      "",
      "javascript:alert(1)",
      "JAVASCRIPT:alert(1)",
      "java\nscript:alert(1)",
      " javascript:alert(1)",
      "\u0001javascript:alert(1)",
      "data:text/html,<script>1</script>",
      "vbscript:x",
      "blob:https://docs.example.com/1",
      "file:///etc/passwd",
      "https://",
      "mailto:a@example.com",
    ];
    expect(hostile.filter((address) => resolveAddress(address, PAGE) !== undefined)).toEqual([]);
  });

  it("keeps path, query and anchor on this site for previews", () => {
    expect(resolveAddress("https://example.org/a/b?c=d#e", "https://preview.example.net/x", true)).toBe(
      "https://preview.example.net/a/b?c=d#e",
    );
    expect(resolveAddress("javascript:alert(1)", PAGE, true)).toBeUndefined();
  });

  it("gives http and https addresses for any text, or none", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `http:${text}`),
          fc.string().map((text) => `x:${text}`),
        ),
        fc.boolean(),
        (address, isHere) => {
          expect(resolveAddress(address, PAGE, isHere) ?? "https:").toMatch(/^https?:/);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
