/** Tree, outline, graph, categories, diagnostics and insights of the explorer, as the Worker serves them. */
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { DrawnGraph } from "../../src/core/docs/model.ts";
import { GROUPED } from "../support/grouped-files.ts";
import { KEYS } from "./access-files.ts";
import { askAs } from "./ask-as.ts";
import { bearer, PRIVATE, prepareCredentials } from "./credentials.ts";
import { withoutEcho } from "./without-echo.ts";

const BROWSER = { Accept: "text/html,*/*;q=0.8" };

const ask = (path: string, key: string = KEYS.all, headers: Record<string, string> = {}): Promise<Response> =>
  askAs(PRIVATE, path, { headers: { ...BROWSER, ...bearer(key), ...headers } });

const read = async (path: string): Promise<{ status: number; text: string; etag: string }> => {
  const response = await ask(path);
  return { status: response.status, text: await response.text(), etag: response.headers.get("ETag") ?? "" };
};

beforeAll(async () => {
  await prepareCredentials();
  return () => vi.unstubAllGlobals();
});

/** Addresses of this server that a page leads to. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/<a [^>]*href="(\/[^"#]*)/g)].map(([, address = ""]) => address.replaceAll("&amp;", "&"));
}

/** The graph that a page draws. */
async function drawn(path: string): Promise<DrawnGraph> {
  const response = await ask(`${path}${path.includes("?") ? "&" : "?"}format=json`);
  expect(response.headers.get("Content-Type")).toContain("application/json");
  return response.json();
}

describe("pages of what is indexed", () => {
  it("lead from the list to every document, page or source file, and from its outline to the graph", async () => {
    const seen = new Set<string>();
    const folders = ["/explorer/tree"];
    for (let path = folders.shift(); path !== undefined; path = folders.shift()) {
      const { status, text } = await read(path);
      expect(status, path).toBe(200);
      for (const address of linksOf(text)) {
        if (address.startsWith("/documents/")) seen.add(address);
        if (
          address.startsWith("/explorer/tree?folder=") &&
          !folders.includes(address) &&
          address.length > path.length
        ) {
          folders.push(address);
        }
      }
    }
    const { documents } = (await (await ask("/status")).json()) as { documents: number };
    expect(seen.size).toBe(documents);
    const [page] = [...seen].filter((address) => address.endsWith(".md"));
    const [file] = [...seen].filter((address) => address.endsWith("/meadow.ts"));
    const outlines = await Promise.all(
      [page, file].map((address = "") => read(address.replace("/documents/", "/explorer/outline/"))),
    );
    for (const { text } of outlines) {
      const [graph = ""] = linksOf(text).filter((address) => address.startsWith("/explorer/graph?"));
      expect((await read(graph)).text).toContain("data-graph=");
    }
    expect(outlines[0]?.text).toMatch(/<h2>Link|No page links/);
    expect(outlines[1]?.text).toMatch(/<h2>Import|No file is imported/);
  });

  it("lead from a symbol to what uses it and back", async () => {
    const graph = await drawn("/explorer/graph");
    const symbols = new Set<string>();
    for (const { id } of graph.nodes) {
      for (const own of linksOf((await read(`/documents/${id}`)).text)) if (own.includes("symbol=")) symbols.add(own);
    }
    expect(symbols.size).toBeGreaterThan(3);
    let uses = 0;
    for (const address of symbols) {
      const { status, text } = await read(address);
      expect(status, address).toBe(200);
      expect(text).toMatch(/<h3>(?:Implemented by|Used by|Tests) |Nothing that is known uses it/);
      uses += linksOf(text.slice(text.indexOf("<h3>"))).length;
    }
    expect(uses).toBeGreaterThan(0);
  });

  it("show each kind of graph as a drawing and as a list, which say the same", async () => {
    for (const of of ["imports", "links", "packages"]) {
      const { nodes, links, total } = await drawn(`/explorer/graph?of=${of}`);
      const page = await read(`/explorer/graph?of=${of}`);
      const [, text = ""] = /data-graph="([^"]*)"/.exec(page.text) ?? [];
      const shown = JSON.parse(text.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
      expect(shown).toEqual({ nodes, links, total, left: 0 });
      const list = await read(`/explorer/graph?view=list&of=${of}`);
      expect(list.text.match(/<li><b>/g)).toHaveLength(total);
      for (const { id, href } of nodes) {
        expect(linksOf(list.text)).toContain(`/explorer/graph?of=${of}&focus=${encodeURIComponent(id)}`);
        expect((await read(href)).status, href).toBe(200);
      }
    }
  });

  it("grow a graph by the nodes that its address names, and find nodes by name", async () => {
    const first = await drawn("/explorer/graph?of=links");
    const next = first.nodes.find(({ isOpen, more }) => !isOpen && more > 0) ?? first.nodes.at(-1);
    const focus = [first.nodes[0]?.id ?? "", next?.id ?? ""].map((id) => `focus=${encodeURIComponent(id)}`).join("&");
    const second = await drawn(`/explorer/graph?of=links&${focus}`);
    expect(second.nodes.filter(({ isOpen }) => isOpen)).toHaveLength(2);
    for (const { id } of first.nodes) expect(second.nodes.map((node) => node.id)).toContain(id);
    const { found } = (await (await ask("/explorer/graph?of=links&find=meadow&format=json")).json()) as {
      found: readonly { readonly id: string }[];
    };
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ id }) => id.includes("meadow"))).toBe(true);
    const listed = await read("/explorer/graph?of=links&find=meadow");
    expect(listed.text.match(/<li><b>/g)).toHaveLength(found.length);
  });

  it("sort documents by title, words and sections", async () => {
    const rows = async (sort: string): Promise<{ title: string; words: number; sections: number }[]> => {
      const { text } = await read(`/explorer/tree?sort=${sort}`);
      expect(text).toContain(`aria-sort="${sort === "title" ? "ascending" : "descending"}"`);
      const found = text.matchAll(/<tr><th scope="row"><a[^>]*>([^<]*)<.*?"Words">([\d,]+)<.*?"Sections">([\d,]+)</g);
      return [...found].map(([, title = "", words = "", sections = ""]) => ({
        title: title.toLowerCase(),
        words: Number(words.replace(",", "")),
        sections: Number(sections.replace(",", "")),
      }));
    };
    const [titles, words, sections] = [await rows("title"), await rows("words"), await rows("sections")];
    expect(titles.length).toBeGreaterThan(3);
    expect(titles.map(({ title }) => title)).toEqual(titles.map(({ title }) => title).sort());
    expect(words.map((row) => row.words)).toEqual(words.map((row) => row.words).sort((a, b) => b - a));
    expect(sections.map((row) => row.sections)).toEqual(sections.map((row) => row.sections).sort((a, b) => b - a));
  });

  it("find documents by title and path, and say what a category and a concept are about", async () => {
    const found = await read("/explorer/tree?q=meadow-setup");
    expect(linksOf(found.text)).toContain("/documents/docs:guide/meadow-setup.md");
    const categories = linksOf((await read("/explorer/categories")).text).filter((one) => one.includes("category="));
    expect(categories.length).toBeGreaterThan(0);
    const concepts: string[] = [];
    for (const category of categories) {
      const { text } = await read(category);
      expect(text).toContain("<h2>Documents");
      concepts.push(...linksOf(text).filter((one) => one.includes("concept=")));
    }
    const places = new Set<string>();
    for (const concept of new Set(concepts)) {
      const { text } = await read(concept);
      expect(text).toContain("Where it is explained");
      for (const [, place = ""] of text.matchAll(/<a href="(\/documents\/[^"]*#[^"]*)"/g)) places.add(place);
    }
    for (const place of places) {
      const [address = "", anchor = ""] = place.split("#");
      expect((await read(address)).text, place).toContain(` id="${decodeURIComponent(anchor)}"`);
    }
    expect([...places].some((place) => place.includes(".ts#L"))).toBe(true);
    expect([...places].some((place) => place.includes(".md#"))).toBe(true);
    for (const sort of ["tree", "name", "popularity", "document_count", "chunk_count", "concept_count"]) {
      expect((await read(`/explorer/categories?sort=${sort}`)).status).toBe(200);
    }
  });

  it("narrow findings down by what they have in common", async () => {
    const { text } = await read("/explorer/diagnostics");
    const rows = (page: string): number => page.match(/<tr><td/g)?.length ?? 0;
    const all = rows(text);
    expect(all).toBeGreaterThan(0);
    const rules = [...new Set(linksOf(text).filter((one) => one.includes("rule=")))];
    let sum = 0;
    for (const rule of rules) sum += rows((await read(rule)).text);
    expect(sum).toBe(all);
    expect(rows((await read("/explorer/diagnostics?file=no-such-file")).text)).toBe(0);
    expect((await read("/explorer/diagnostics?show=skipped")).status).toBe(200);
  });

  it.each([
    ["/explorer/tree?folder=docs:guid", 404, "docs:guide/"],
    ["/explorer/tree?collection=doc", 400, "docs"],
    ["/explorer/tree?offset=x", 400, "whole number"],
    ["/explorer/tree?offset=99999999", 400, "lower than"],
    ["/explorer/diagnostics?offset=99999", 400, "lower than"],
    ["/explorer/outline/docs:guide/meadow-setup.md?symbol=zz", 404, "No such symbol"],
    ["/explorer/outline/docs:guide/meadow-setu.md", 404, "/explorer/outline/docs:guide/meadow-setup.md"],
    ["/explorer/outline/", 404, "No such document"],
    ["/explorer/graph?view=grap", 400, "Nearest: graph"],
    ["/explorer/graph?of=x", 400, "imports"],
    ["/explorer/graph?folder=docs:guid&of=links", 404, "folder=docs%3Aguide%2F"],
    ["/explorer/graph?focus=nothing.ts", 404, "No such file"],
    ["/explorer/categories?category=no-such-category-anywhere", 404, "No such category"],
    ["/explorer/categories?concept=zzzzqqq", 404, "No such concept"],
    ["/explorer/diagnostics?severity=eror", 400, "Nearest: error"],
    ["/explorer/diagnostics?rule=%3Cscript%3E", 400, "No finding"],
    ["/explorer/diagnostics?tool=x", 400, "No finding"],
  ])("say what is wrong with %s", async (path, status, said) => {
    const answer = await read(path);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(said);
    expect(answer.text).not.toContain("<script>");
    expect(answer.etag).toBe("");
  });

  it("are confirmed by a 304, but for insights, which are about now", async () => {
    for (const path of [
      "/explorer/tree",
      "/explorer/graph?view=list",
      "/explorer/outline/docs:guide/meadow-setup.md",
    ]) {
      const { etag } = await read(path);
      expect((await ask(path, KEYS.all, { "If-None-Match": etag })).status).toBe(304);
    }
    expect((await ask("/explorer/insights")).headers.get("Cache-Control")).toBe("no-store");
  });
});

describe("pages of a private deployment", () => {
  it("show a caller no word of a collection that they may not see, at any address", async () => {
    const hidden = GROUPED.filter(({ name }) => name !== "docs").map(({ word }) => word.toLowerCase());
    let met = 0;
    for (const { name, word } of GROUPED) {
      const low = word.toLowerCase();
      for (const path of [
        `/explorer/outline/${name}:guide/${low}-setup.md`,
        `/explorer/outline/${name}-code:src/${low}.ts`,
        `/explorer/outline/${name}-code:src/${low}.ts?symbol=${low}`,
        `/explorer/tree?q=${low}`,
        `/explorer/tree?folder=${name}:`,
        "/explorer/tree?q=guide",
        `/explorer/graph?of=links&focus=${name}:guide/${low}-setup.md`,
        "/explorer/graph?of=imports",
        "/explorer/graph?of=links&view=list",
        "/explorer/graph?of=packages",
        `/explorer/graph?of=links&format=json&focus=${name}:guide/${low}-setup.md`,
        "/explorer/graph?of=links&format=json&find=setup",
        "/explorer/tree?sort=words",
        `/explorer/categories?category=${low}`,
        `/explorer/categories?concept=${low}`,
        "/explorer/categories?sort=name",
        `/explorer/diagnostics?collection=${name}`,
        "/explorer/diagnostics?show=skipped",
        "/explorer/insights",
      ]) {
        const response = await ask(path, KEYS.docs);
        const text = await response.text();
        const rest = withoutEcho(text, [path, ...path.split(/[/?&=]/), ...path.split(/[/?&=+.]/)]);
        for (const one of hidden) expect(rest, `${path}: ${text}`).not.toContain(one);
        if (name === "docs" && response.ok) met++;
      }
    }
    expect(met).toBeGreaterThan(8);
  });

  it("show query insights to an admin at once, to others how to get them, and never take a key from an address", async () => {
    const admin = await ask("/explorer/insights");
    expect(await admin.text()).toMatch(/that enough callers asked|Questions/);
    const reader = await ask("/explorer/insights", KEYS.docs);
    const text = await reader.text();
    expect(reader.status).toBe(200);
    expect(text).toContain("--admin");
    const tried = await ask(`/explorer/insights?key=${KEYS.all}`, KEYS.docs);
    expect(await tried.text()).toBe(text);
  });
});
