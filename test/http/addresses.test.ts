import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idFromAddress, ownPage } from "../../src/http/addresses.ts";

describe("ownPage", () => {
  it("keeps what is readable in an id and escapes the rest", () => {
    expect(ownPage("https://x.test", "docs:guide/install.md")).toBe("https://x.test/documents/docs:guide/install.md");
    expect(ownPage("https://x.test", "docs:a b%23c?.md")).toBe("https://x.test/documents/docs:a%20b%2523c%3F.md");
  });

  it("ends in the section's slug path", () => {
    expect(ownPage("https://x.test", "docs:a.md", "docs:a.md#linux/apt")).toBe(
      "https://x.test/documents/docs:a.md#linux/apt",
    );
  });

  it("gives addresses from which the id can be read, whatever the path holds", () => {
    const segment = fc.string({ minLength: 1 }).filter((text) => !/^\.{1,2}$|[/\ud800-\udfff]/.test(text));
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
        const id = `docs:${segments.join("/")}`;
        for (const base of ["https://x.test", "https://x.test/v2"]) {
          expect(idFromAddress(ownPage(base, id), base, "/documents/")).toBe(id);
        }
      }),
    );
  });
});

describe("idFromAddress", () => {
  it("understands an id with every character escaped", () => {
    expect(idFromAddress("https://x.test/tree/docs%3Aguide%2Finstall.md?a=b", "https://x.test", "/tree/")).toBe(
      "docs:guide/install.md",
    );
  });

  it("understands a route that is escaped, too", () => {
    const url = "https://x.test/v2/%64ocuments/docs:guide/install.md";
    expect(idFromAddress(url, "https://x.test/v2", "/documents/")).toBe("docs:guide/install.md");
  });

  it("refuses what is not well escaped", () => {
    expect(() => idFromAddress("https://x.test/tree/%zz", "https://x.test", "/tree/")).toThrow("not well escaped");
  });
});
