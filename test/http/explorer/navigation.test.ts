import { describe, expect, it } from "vitest";
import { EXPLORER_PAGES } from "../../../src/http/explorer/explorer-pages.ts";
import { clientLink, linkTo, NAVIGATION, safeLink } from "../../../src/http/explorer/links.ts";
import { listClientGuides } from "../../../src/surface/render/connect.ts";

describe("links of the explorer", () => {
  it("stand behind the name of a corpus, with parameters that have a value", () => {
    expect(linkTo("", "/")).toBe("/");
    expect(linkTo("/v2", "/")).toBe("/v2");
    expect(linkTo("/v2", "/explorer/search", { q: "a b", sort: "", collection: ["x", "y"], page: undefined })).toBe(
      "/v2/explorer/search?q=a+b&collection=x&collection=y",
    );
  });

  it("lead to the web or to this server, whatever an index says", () => {
    for (const address of ["https://a.example/x", "http://a.example", "/guide/", "guide#x", "?q=1"]) {
      expect(safeLink(address)).toBe(address);
    }
    for (const address of [
      "",
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      " javascript:alert(1)",
      "java\nscript:alert(1)",
      "\u0001javascript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "blob:https://a.example/x",
      "https://",
    ]) {
      expect(safeLink(address), address).toBeUndefined();
    }
  });

  it("of this server's own guides open clients that it knows, and nothing else", () => {
    const target = { origin: "https://docs.example", needsKey: true } as const;
    const links = listClientGuides(target).flatMap(({ link }) => link ?? []);
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expect(clientLink(link)).toBe(link);
    for (const link of ["javascript:alert(1)", "data:text/html,x", "ssh://a", "/relative", ""]) {
      expect(clientLink(link)).toBeUndefined();
    }
  });

  it("lead from the head of each page to addresses that have one", () => {
    const paths = EXPLORER_PAGES.map(({ path }) => path);
    for (const { path } of NAVIGATION) expect(paths).toContain(path);
  });
});
