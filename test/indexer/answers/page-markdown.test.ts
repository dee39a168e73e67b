import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { answerDocument, answerPageMarkdown, answerTree, isMarkdownAddress } from "../../../src/http/documents.ts";
import { answerDocumentPage } from "../../../src/http/explorer/document-page.ts";
import type { HttpServices } from "../../../src/http/respond.ts";
import { buildCollections, type OpenReader } from "../../support/build-index.ts";
import { BASE, pageServicesOf, servicesOf } from "../../support/http-services.ts";
import { runs } from "../../support/runs.ts";

let opened: OpenReader;
let services: HttpServices;
/** Of somebody who sees what others do not. */
let ofBoard: HttpServices;

beforeAll(async () => {
  const index = await buildCollections([
    {
      name: "docs",
      baseUrl: "https://docs.example/guide/",
      pages: {
        "index.md": "# Home\n\nAll of it.\n",
        "install.md": "# Install\n\nDo it\u200b.\n",
        "setup.mdx": "# Set up\n\nNow.\n",
        "deep/README.md": "# Deep\n\nDown.\n",
        "käse (1).md": "# Cheese\n\nOld.\n",
      },
    },
    {
      name: "plans",
      access: "board",
      baseUrl: "https://docs.example/guide/",
      pages: { "secret.md": "# Quokka\n\nA quokka plan.\n" },
    },
    { name: "notes", pages: { "install.md": "# Notes\n\nOn it.\n", "only.md": "# Only\n\nHere.\n" } },
  ]);
  opened = await index.open();
  services = servicesOf(opened);
  ofBoard = servicesOf(await index.open(["public", "board"]));
});

async function pageAt(path: string, asking = services): Promise<string | readonly string[]> {
  const page = await answerPageMarkdown(new Request(`${BASE}${path}`), asking);
  if ("nearest" in page) return page.nearest;
  expect(page.response.headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
  return page.response.text();
}

/** What a browser is given at the address of a document. */
async function browse(path: string): Promise<[number, string, string]> {
  const request = new Request(`${BASE}/documents/${path}`, { headers: { Accept: "text/html" } });
  const response = await answerDocumentPage(request, pageServicesOf(opened));
  return [response.status, (response.headers.get("Content-Type") ?? "").replace(/;.*/, ""), await response.text()];
}

async function documentAt(path: string, accept = "*/*"): Promise<[number, string]> {
  const request = new Request(`${BASE}/documents/${path}`, { headers: { Accept: accept } });
  const response = await answerDocument(request, services);
  return [response.status, (response.headers.get("Content-Type") ?? "").replace(/;.*/, "")];
}

describe("the Markdown of a page", () => {
  it.each([
    ["/guide/install.md", "# Install\n\nDo it.\n"],
    ["/guide/install.html.md", "# Install\n\nDo it.\n"],
    ["/guide/install/index.md", "# Install\n\nDo it.\n"],
    ["/guide/install/index.html.md", "# Install\n\nDo it.\n"],
    ["/guide/setup.md", "# Set up\n\nNow.\n"],
    ["/guide/deep.md", "# Deep\n\nDown.\n"],
    ["/guide/deep/index.html.md", "# Deep\n\nDown.\n"],
    ["/guide.md", "# Home\n\nAll of it.\n"],
    ["/guide/index.md", "# Home\n\nAll of it.\n"],
    ["/guide/index.html.md", "# Home\n\nAll of it.\n"],
    [`/guide/${encodeURIComponent("käse (1)")}.md`, "# Cheese\n\nOld.\n"],
  ])("stands at %s", async (path, text) => {
    expect(await pageAt(path)).toBe(text);
  });

  it.each(["/install.md", "/guide/nothing.md", "/guide/%E0%A4%A.md", "/guide/../install.md", "/only.md", "/.md"])(
    "does not stand at %s",
    async (path) => {
      expect(await pageAt(path)).toBeInstanceOf(Array);
    },
  );

  it("names documents that were probably meant", async () => {
    expect(await pageAt("/guide/instal.md")).toContain("/documents/docs:install.md");
  });

  it("is that of a page that the caller may see, and nothing tells others of it", async () => {
    expect(await pageAt("/guide/secret.md", ofBoard)).toBe("# Quokka\n\nA quokka plan.\n");
    expect(await pageAt("/guide/secre.md", ofBoard)).toContain("/documents/plans:secret.md");
    for (const path of ["/guide/secret.md", "/guide/secre.md", "/guide/quokka.md"]) {
      expect(JSON.stringify(await pageAt(path))).not.toMatch(/plans|secret|quokka/i);
    }
    const page = await answerPageMarkdown(new Request(`${BASE}/guide/install.md`), ofBoard);
    const headers = { "If-None-Match": (page as { response: Response }).response.headers.get("ETag") ?? "" };
    const again = await answerPageMarkdown(new Request(`${BASE}/guide/install.md`, { headers }), services);
    expect(again).toMatchObject({ response: { status: 200 } });
  });

  it("names the page itself to search engines, and has a tag", async () => {
    const page = await answerPageMarkdown(new Request(`${BASE}/guide/install.md`), services);
    const { headers } = (page as { response: Response }).response;
    expect(headers.get("Link")).toBe('<https://docs.example/guide/install>; rel="canonical"');
    expect(headers.get("ETag")).toMatch(/^W\//);
    const own = await answerDocument(new Request(`${BASE}/documents/notes:only.md?format=md`), services);
    expect(own.headers.get("Link")).toBeNull();
  });

  it("is asked for by GET of an address with .md at its end alone", () => {
    expect(isMarkdownAddress(new Request(`${BASE}/a.md?x=1`))).toBe(true);
    expect(isMarkdownAddress(new Request(`${BASE}/a.md`, { method: "POST" }))).toBe(false);
    expect(isMarkdownAddress(new Request(`${BASE}/a?b=.md`))).toBe(false);
  });

  it("is nothing where no index is published, and a fault where it is damaged", async () => {
    const request = new Request(`${BASE}/guide/install.md`);
    expect(await answerPageMarkdown(request, { ...services, withReader: async () => undefined })).toEqual({
      nearest: [],
    });
    const broken = { ...services, report: () => undefined, withReader: () => Promise.reject(new Error("broken")) };
    expect(await answerPageMarkdown(request, broken)).toMatchObject({ response: { status: 500 } });
  });

  it("is given or not, whatever the path", async () => {
    const path = fc.oneof(
      fc.string({ unit: "binary" }).map(encodeURI),
      fc
        .array(fc.constantFrom("guide", "install", "index", ".html", "/", "%2f", "..", "%", ".md", "deep"), {
          maxLength: 8,
        })
        .map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(path, async (text) => {
        const page = await answerPageMarkdown(new Request(`${BASE}/${text}.md`), services);
        if ("response" in page) expect(page.response.status).toBe(200);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("the address of a document", () => {
  it.each([
    ["docs:install.md", "application/json"],
    ["docs:install", "application/json"],
    ["docs:install.md.md", "text/markdown"],
    ["docs:setup.mdx", "application/json"],
    ["docs:setup.mdx.md", "text/markdown"],
    ["docs:setup", "application/json"],
    ["docs:setup.md", "text/markdown"],
    ["only.md", "application/json"],
    ["only", "application/json"],
    ["only.md.md", "text/markdown"],
  ])("may be %s, which is %s", async (id, type) => {
    expect(await documentAt(id)).toEqual([200, type]);
    expect(await documentAt(id, "text/markdown")).toEqual([200, "text/markdown"]);
  });

  it.each(["docs:install.md", "docs:install", "docs:setup.mdx", "docs:setup", "only"])(
    "may be %s for browsers, too, which get a page",
    async (id) => {
      const [status, type, text] = await browse(id);
      expect([status, type]).toEqual([200, "text/html"]);
      expect(text).toContain("<article>");
    },
  );

  it.each(["docs:install.md.md", "docs:setup.md", "docs:setup.mdx.md", "only.md.md"])(
    "gives Markdown at %s, whatever is accepted",
    async (id) => expect((await browse(id)).slice(0, 2)).toEqual([200, "text/markdown"]),
  );

  it("takes a number for the part that is wanted, and nothing else", async () => {
    for (const from of ["0", "1", "99", "1000000000000"]) {
      expect((await browse(`docs:install.md?from=${from}`))[0]).toBe(200);
    }
    for (const from of ["abc", "-1", "1e309", "1.5"]) {
      const [status, , text] = await browse(`docs:install.md?from=${from}`);
      expect([status, text.includes("from must be a whole number")]).toEqual([400, true]);
    }
  });

  it("is not a path that several collections have", async () => {
    expect((await documentAt("install"))[0]).toBe(404);
    expect((await documentAt("install.md"))[0]).toBe(404);
  });

  it("may leave out the ending for the outline, too", async () => {
    expect((await answerTree(new Request(`${BASE}/tree/docs:setup`), services)).status).toBe(200);
    expect((await answerTree(new Request(`${BASE}/tree/docs:stup`), services)).status).toBe(404);
  });
});
