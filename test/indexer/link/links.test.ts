import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../../indexer/config/config.ts";
import { resolveLinks } from "../../../indexer/link/links.ts";
import { type Pages, preparePage } from "../../support/build-index.ts";

interface Collection {
  readonly name: string;
  readonly baseUrl?: string;
  readonly access?: string;
  readonly pages: Pages;
}

function resolveAll(...collections: readonly Collection[]): ReturnType<typeof resolveLinks> {
  const [template] = defaultConfig().collections;
  if (template === undefined) throw new Error("no collection");
  return resolveLinks(
    collections.flatMap(({ name, baseUrl = "", access = "public", pages }, collection) =>
      Object.entries(pages).map(([path, text], number) => ({
        collection: name,
        baseUrl,
        access,
        document: preparePage({ number, collection, path }, { ...template, name, baseUrl }, text),
      })),
    ),
  );
}

/** Where the links of a page lead: target and kind, by destination as written. */
function leads(pages: Pages, from: string, baseUrl = ""): Record<string, string> {
  const { links } = resolveAll({ name: "docs", baseUrl, pages });
  return Object.fromEntries(
    (links.get(`docs:${from}`)?.o ?? []).map(([, target, href, , kind]) => [href, `${kind} ${target}`]),
  );
}

const SITE: Pages = {
  "index.md": "# Home\n\n## Start\n",
  "guide/01-install.md": "# Install\n\n## On Linux\n\n### With apt\n",
  "guide/index.mdx": "# Guide\n",
  "guide/use.md": "# Use\n",
};

function site(from: string, ...hrefs: string[]): Record<string, string> {
  return leads(
    { ...SITE, [from]: `# Here\n\n## Own part\n\n${hrefs.map((href) => `[x](${href})`).join(" ")}\n` },
    from,
  );
}

describe("resolveLinks", () => {
  it("leads to the section in which HTML gives an id", () => {
    const text = `# Codes

[one](#in-table) [two](#in-text) [three](#named)

## Table

| Code |
|---|
| <a id="in-table">CODE</a> |

## Text

<div class="a" id='in-text'></div> and <a name="named"></a>
`;
    expect(leads({ "codes.md": text }, "codes.md")).toEqual({
      "#in-table": "internal docs:codes.md#table",
      "#in-text": "internal docs:codes.md#text",
      "#named": "internal docs:codes.md#text",
    });
  });

  it("follows paths relative to the page", () => {
    expect(
      site("guide/a.md", "use.md", "./use.md", "../index.md", "../guide/use.md#top", "../guide/../guide/use.md"),
    ).toEqual({
      "use.md": "internal docs:guide/use.md",
      "./use.md": "internal docs:guide/use.md",
      "../index.md": "internal docs:index.md",
      "../guide/use.md#top": "internal docs:guide/use.md",
      "../guide/../guide/use.md": "internal docs:guide/use.md",
    });
  });

  it("follows paths without an ending, to folders and without ordering numbers", () => {
    expect(site("a.md", "guide/use", "guide/", "guide", "guide/install", "guide/01-install")).toEqual({
      "guide/use": "internal docs:guide/use.md",
      "guide/": "internal docs:guide/index.mdx",
      guide: "internal docs:guide/index.mdx",
      "guide/install": "internal docs:guide/01-install.md",
      "guide/01-install": "internal docs:guide/01-install.md",
    });
  });

  it("follows site paths, below at most two folders that stand for the site too", () => {
    expect(
      site("a.md", "/guide/use", "/docs/guide/use", "/en/docs/guide/use/", "/x/en/docs/guide/use", "/nowhere"),
    ).toEqual({
      "/guide/use": "internal docs:guide/use.md",
      "/docs/guide/use": "internal docs:guide/use.md",
      "/en/docs/guide/use/": "internal docs:guide/use.md",
      "/x/en/docs/guide/use": "external ",
      "/nowhere": "external ",
    });
  });

  it("follows links with a query, which names no page", () => {
    expect(site("guide/a.md", "use.md?x=1", "01-install.md?x=1&y=/z#on-linux", "/guide/use?tab=a", "?x=1")).toEqual({
      "use.md?x=1": "internal docs:guide/use.md",
      "01-install.md?x=1&y=/z#on-linux": "internal docs:guide/01-install.md#on-linux",
      "/guide/use?tab=a": "internal docs:guide/use.md",
      "?x=1": "internal docs:guide/a.md",
    });
  });

  it("follows addresses below the collection's own", () => {
    const pages = { ...SITE, "a.md": "[x](https://example.org/docs/guide/use#top) [y](https://example.org/other)" };
    expect(leads(pages, "a.md", "https://example.org/docs/")).toEqual({
      "https://example.org/docs/guide/use#top": "internal docs:guide/use.md",
      "https://example.org/other": "external ",
    });
  });

  it("leads to the section with the anchor, in another case too", () => {
    expect(site("a.md", "guide/01-install.md#on-linux", "guide/01-install.md#With-Apt", "#own-part")).toEqual({
      "guide/01-install.md#on-linux": "internal docs:guide/01-install.md#on-linux",
      "guide/01-install.md#With-Apt": "internal docs:guide/01-install.md#on-linux/with-apt",
      "#own-part": "internal docs:a.md#own-part",
    });
  });

  it("leads to the page for the anchor of its title, unless a section has it", () => {
    expect(site("a.md", "guide/01-install.md#install")).toEqual({
      "guide/01-install.md#install": "internal docs:guide/01-install.md",
    });
    const pages = { "a.md": "[x](b.md#setup)", "b.md": "---\ntitle: Setup\n---\n\nText.\n\n## Setup\n" };
    expect(leads(pages, "a.md")).toEqual({ "b.md#setup": "internal docs:b.md#setup" });
  });

  it("takes the first of several sections with one anchor", () => {
    const pages = { "a.md": "[x](b.md#one)", "b.md": "## First {#one}\n\n## Second {#one}\n" };
    expect(leads(pages, "a.md")).toEqual({ "b.md#one": "internal docs:b.md#first" });
  });

  it("calls a file of this tree that is missing broken, and everything else that leads nowhere external", () => {
    expect(
      site("a.md", "missing.md", "missing", "../out.md", "picture.png", "mailto:a@b.org", "//cdn.org/x.md"),
    ).toEqual({
      "missing.md": "broken ",
      missing: "external ",
      "../out.md": "broken ",
      "picture.png": "external ",
      "mailto:a@b.org": "external ",
      "//cdn.org/x.md": "external ",
    });
  });

  it("reports each broken link with its line, and each anchor that its page does not have", () => {
    const { diagnostics, links } = resolveAll({
      name: "docs",
      pages: { "a.md": "# A\n\n[x](missing.md)\n\n[y](b.md#nowhere)\n", "b.md": "# B" },
    });
    expect(diagnostics.map(({ code, path, line, collection }) => [code, path, line, collection])).toEqual([
      ["broken-link", "a.md", 3, "docs"],
      ["broken-anchor", "a.md", 5, "docs"],
    ]);
    expect(links.get("docs:a.md")?.o.map(([section, target, , , kind]) => [section, target, kind])).toEqual([
      [0, "", "broken"],
      [0, "docs:b.md", "broken"],
    ]);
  });

  it("gives each page the sections that link to it", () => {
    const { links } = resolveAll({
      name: "docs",
      pages: { "a.md": "# A\n\n## From here\n\n[x](b.md#there)\n", "b.md": "# B\n\n## There\n" },
    });
    expect(links.get("docs:b.md")?.i).toEqual([["docs:a.md#from-here", 1]]);
    expect(links.get("docs:a.md")?.i).toEqual([]);
  });

  it("never leads from one access group to another, which other callers may see", () => {
    const { links } = resolveAll(
      { name: "open", pages: { "a.md": "[x](secret.md) [y](/secret)" } },
      { name: "closed", access: "staff", pages: { "secret.md": "# Secret" } },
    );
    expect(links.get("open:a.md")?.o.map(([, target]) => target)).toEqual(["", ""]);
    expect(links.has("closed:secret.md")).toBe(false);
  });

  it("understands percent signs, and takes wrong ones as they stand", () => {
    const pages = { "odd name #1.md": "# Odd", "a.md": "[x](odd%20name%20%231.md) [y](100%.md)" };
    expect(leads(pages, "a.md")).toEqual({
      "odd%20name%20%231.md": "internal docs:odd name %231.md",
      "100%.md": "broken ",
    });
  });

  it("reads a page of twenty thousand sections and links, and one link of a million slashes", () => {
    const count = 20_000;
    const lines = Array.from({ length: count }, (_, n) => `## h${n}\n\n[a](#h${count - n - 1}) [b](#no${n})\n`);
    const { links } = resolveAll({ name: "docs", pages: { "a.md": lines.join("\n") } });
    expect(links.get("docs:a.md")?.o.length).toBe(10_000);
    expect(leads({ "a.md": `[x](${"/".repeat(1900)}x)` }, "a.md")).toEqual({ [`${"/".repeat(1900)}x`]: "external " });
  });

  it("keeps a bounded number of links to a page that everything links to", () => {
    const pages = Object.fromEntries(
      Array.from({ length: 600 }, (_, n) => [`p${n}.md`, "[home](home.md) ".repeat(10)]),
    );
    const { links } = resolveAll({ name: "docs", pages: { ...pages, "home.md": "# Home" } });
    expect(links.get("docs:home.md")?.i.length).toBe(5_000);
  });
});

describe("links between collections", () => {
  it("lead to the other collection's page of the same access group, and to what everybody sees, which knows nothing of it", () => {
    const [template] = defaultConfig().collections;
    if (template === undefined) throw new Error("no collection");
    const source = (name: string, root: string, access: string, collection: number, path: string, text: string) => ({
      collection: name,
      baseUrl: "",
      root,
      access,
      document: preparePage({ number: 0, collection, path }, { ...template, name, root, access }, text),
    });
    const { links, diagnostics } = resolveLinks([
      source("guide", "docs/guide", "public", 0, "a.md", "# A\n\n[b](../handbook/b.md#rules) [c](../secret/c.md)\n"),
      source("handbook", "docs/handbook", "public", 1, "b.md", "# B\n\n## Rules\n"),
      source("secret", "docs/secret", "staff", 2, "c.md", "# C\n\n[a](../guide/a.md)\n"),
    ]);
    expect(links.get("guide:a.md")?.o.map(([, target, , , kind]) => [target, kind])).toEqual([
      ["handbook:b.md#rules", "internal"],
      ["", "broken"],
    ]);
    expect(links.get("handbook:b.md")?.i).toEqual([["guide:a.md", 1]]);
    expect(links.get("guide:a.md")?.i).toEqual([]);
    expect(links.get("secret:c.md")?.o.map(([, target, , , kind]) => [target, kind])).toEqual([
      ["guide:a.md", "internal"],
    ]);
    expect(diagnostics.map(({ path, message }) => [path, message])).toEqual([
      ["a.md", "link to ../secret/c.md: no such page"],
    ]);
  });
});
