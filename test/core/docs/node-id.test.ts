import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  folderOf,
  makeDocumentId,
  makeNodeId,
  makeOrdinalId,
  makeUrl,
  splitDocumentId,
} from "../../../src/core/docs/node-id.ts";
import { runs } from "../../support/runs.ts";

const anyPath = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(..."a/#%25:. "), maxLength: 20 }),
);
const anyName = fc.string({ unit: fc.constantFrom(..."abc-_1"), minLength: 1, maxLength: 10 });

describe("ids of documents and sections", () => {
  it("name collection and path, with # and % written out", () => {
    expect(makeDocumentId("docs", "guide/install.md")).toBe("docs:guide/install.md");
    expect(makeDocumentId("docs", "100%/c#.md")).toBe("docs:100%25/c%23.md");
  });

  it("have a folder, at least that of their collection", () => {
    expect(folderOf("docs:guide/linux/install.md")).toBe("docs:guide/linux/");
    expect(folderOf("docs:install.md")).toBe("docs:");
  });

  it("come apart into what they were made of", () => {
    fc.assert(
      fc.property(anyName, anyPath, (collection, path) => {
        expect(splitDocumentId(makeDocumentId(collection, path))).toEqual({ collection, path });
      }),
      { numRuns: runs(500) },
    );
  });

  it("hold a # only where the section's part begins", () => {
    fc.assert(
      fc.property(anyName, anyPath, (collection, path) => {
        expect(makeDocumentId(collection, path)).not.toContain("#");
      }),
    );
    expect(makeNodeId("docs:a.md", "setup/linux")).toBe("docs:a.md#setup/linux");
    expect(makeNodeId("docs:a.md", "")).toBe("docs:a.md");
    expect(makeOrdinalId("docs:a.md", 7)).toBe("docs:a.md#n7");
    expect(makeOrdinalId("docs:a.md", 0)).toBe("docs:a.md");
  });

  it("differ where collection or path differ", () => {
    fc.assert(
      fc.property(fc.tuple(anyName, anyPath), fc.tuple(anyName, anyPath), (a, b) => {
        fc.pre(a[0] !== b[0] || a[1] !== b[1]);
        expect(makeDocumentId(...a)).not.toBe(makeDocumentId(...b));
      }),
    );
  });

  it("take a text without a colon for a path without a collection", () => {
    expect(splitDocumentId("guide/a.md")).toEqual({ collection: "", path: "guide/a.md" });
    expect(splitDocumentId(":guide/a%23.md")).toEqual({ collection: "", path: "guide/a#.md" });
  });
});

describe("makeUrl", () => {
  it.each([
    ["guide/install.md", "", "https://example.org/guide/install"],
    ["guide/index.mdx", "", "https://example.org/guide/"],
    ["README.md", "", "https://example.org/"],
    ["guide/install.md", "on-linux", "https://example.org/guide/install#on-linux"],
    ["odd name #1 & more.md", "ü b", "https://example.org/odd%20name%20%231%20%26%20more#%C3%BC%20b"],
    ["notes.txt", "", "https://example.org/notes.txt"],
  ])("gives the page of %s", (path, anchor, url) => {
    expect(makeUrl({ baseUrl: "https://example.org/" }, path, anchor)).toBe(url);
  });

  it.each([
    ["index.html", "", "/"],
    ["guide/index.html", "a b", "/guide/#a%20b"],
    ["guide/jobs.html", "", "/guide/jobs.html"],
    ["readme.html", "", "/readme.html"],
    ["my-index.html", "", "/my-index.html"],
  ])("of a built site keeps endings: %s", (path, anchor, url) => {
    expect(makeUrl({ baseUrl: "/", kind: "site" }, path, anchor)).toBe(url);
    expect(makeUrl({ baseUrl: "/", kind: "site", plain: true }, path, "")).not.toContain(".html");
  });

  it.each([
    ["/", "/", "/guide/#a", "/guide/jobs/", "/readme/"],
    ["", "/", "/guide#a", "/guide/jobs", "/readme"],
  ])("of a built site writes slashes as its links do: %j", (slash, ...urls) => {
    const site = { baseUrl: "/", kind: "site" as const, plain: true as const, slash };
    const pages = [["index.html"], ["guide/index.html", "a"], ["guide/jobs.html"], ["readme.html"]] as const;
    expect(pages.map(([path, anchor = ""]) => makeUrl(site, path, anchor))).toEqual(urls);
  });

  it("gives nothing without an address of the collection", () => {
    expect(makeUrl({ baseUrl: "" }, "a.md", "b")).toBe("");
  });
});
