import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { answerFullText } from "../../../src/http/llms-txt.ts";
import { type BuiltIndex, buildCollections, buildPages } from "../../support/build-index.ts";
import { BASE, servicesOf } from "../../support/http-services.ts";
import { runs } from "../../support/runs.ts";

const DOCUMENT = /^---\nSource: (.*)\nId: (.*)\n---$/gm;
const GOING_ON = /Go on: (\S+)\n$/;

interface Whole {
  readonly texts: readonly string[];
  readonly ids: readonly string[];
}

async function ask(index: BuiltIndex, query = "", groups: readonly string[] = ["public"]): Promise<Response> {
  const request = new Request(`${BASE}/llms-full.txt${query}`);
  return answerFullText(request, servicesOf(await index.open(groups)));
}

/** All texts, each after the one that names it. */
async function readAll(index: BuiltIndex, query = ""): Promise<Whole> {
  const texts: string[] = [];
  let next: string | undefined = query;
  while (next !== undefined) {
    const text: string = await (await ask(index, next)).text();
    texts.push(text);
    const address: string | undefined = GOING_ON.exec(text)?.[1];
    next = address === undefined ? undefined : new URL(address).search;
    expect(texts.length, "goes on for ever").toBeLessThan(500);
  }
  return { texts, ids: texts.flatMap((text) => [...text.matchAll(DOCUMENT)].map(([, , id]) => id ?? "")) };
}

function page(title: string, words: number): string {
  return `# ${title}\n\n${`${title} has some words to say here.\n`.repeat(words / 7)}`;
}

describe("/llms-full.txt", () => {
  let index: BuiltIndex;

  beforeAll(async () => {
    index = await buildCollections([
      { name: "source", kind: "code", pages: { "src/main.md": "# main\n\n```\nrun\n```\n" } },
      {
        name: "docs",
        baseUrl: "https://docs.example/",
        pages: {
          "b.md": "---\ntitle: From the frontmatter\nauthor: Ada\n---\n\nNo heading\u200b of its own.\n",
          "a/index.md": "# First\n\nText of the first.\n",
        },
      },
      { name: "plans", access: "board", pages: { "secret.md": "# Quokka\n\nA quokka plan.\n" } },
    ]);
  });

  it("gives every page below its address and id, by collection and path, without what cannot be seen", async () => {
    const response = await ask(index);
    expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(await response.text()).toBe(
      [
        "# docs\n\n> The text of 2 documents, as of commit none. A map of them: https://server.example/llms.txt\n",
        "---\nSource: https://docs.example/a/\nId: docs:a/index.md\n---\n\n# First\n\nText of the first.\n",
        "---\nSource: https://docs.example/b\nId: docs:b.md\n---\n\n# From the frontmatter\n\nNo heading of its own.\n",
        "---\n\n> Not in this text: 1 source file. With them: https://server.example/llms-full.txt?code=true\n",
      ].join("\n"),
    );
  });

  it("gives source files behind the pages to those who ask, fenced so that nothing in them ends it", async () => {
    const text = await (await ask(index, "?code=true")).text();
    expect(text).toContain("Id: docs:b.md");
    expect(text.slice(text.indexOf("Id: source:"))).toBe(
      "Id: source:src/main.md\n---\n\n# main\n\n````\n# main\n\n```\nrun\n```\n````\n\n",
    );
  });

  it("gives single collections, and names the nearest of one that is not there", async () => {
    expect((await readAll(index, "?collection=docs")).ids).toEqual(["docs:a/index.md", "docs:b.md"]);
    const response = await ask(index, "?collection=dosc");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ nearest: ["docs"] });
  });

  it("holds nothing of groups that the caller does not see, neither in counts nor in errors", async () => {
    const open = await (await ask(index)).text();
    const errors = await Promise.all(
      ["?from=plans:secret.md", "?collection=plans"].map(async (query) => (await ask(index, query)).json()),
    );
    expect(`${open}${JSON.stringify(errors)}`.replaceAll(/plans(:secret\.md)?\\+"/g, "")).not.toMatch(/plans|quokka/i);
    const known = await (await ask(index, "", ["public", "board"])).text();
    expect(known).toContain("A quokka plan.");
  });

  it("begins where it is asked to, and says what it does not find there", async () => {
    const text = await (await ask(index, "?from=docs:b.md")).text();
    expect([...text.matchAll(DOCUMENT)].map(([, , id]) => id)).toEqual(["docs:b.md"]);
    const response = await ask(index, "?from=docs:bb.md");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ nearest: ["docs:b.md"] });
  });

  it("is confirmed to those who have it", async () => {
    const services = servicesOf(await index.open());
    const first = await answerFullText(new Request(`${BASE}/llms-full.txt`), services);
    const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
    expect((await answerFullText(new Request(`${BASE}/llms-full.txt`, { headers }), services)).status).toBe(304);
  });

  it("reads a few documents a round, however many there are", async () => {
    const many = await buildPages(
      Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}.md`, page(`Page ${n}`, 140)])),
    );
    const opened = await many.open();
    const response = await answerFullText(new Request(`${BASE}/llms-full.txt`), servicesOf(opened));
    const text = await response.text();
    expect([...text.matchAll(DOCUMENT)]).toHaveLength(300);
    // 300 documents in rounds of 64: names, then documents and texts of each round.
    expect(Number(/waves;desc="(\d+)/.exec(response.headers.get("Server-Timing") ?? "")?.[1])).toBeLessThan(20);
    expect(opened.source.reads.length).toBeLessThan(60);
  });

  it("reads of a document its text, and not what its sections are", async () => {
    const opened = await index.open(["public"]);
    await (await answerFullText(new Request(`${BASE}/llms-full.txt`), servicesOf(opened))).text();
    const { reader, source } = opened;
    const sections = reader.shards.flatMap(({ index: shard, root }) =>
      root.tables.sections.entries.map((at) => reader.rangeOf(shard, at)),
    );
    expect(sections).not.toHaveLength(0);
    const isRead = ({ file, offset }: (typeof sections)[number]): boolean =>
      source.reads.some((read) => read.file === file && read.offset <= offset && offset < read.offset + read.length);
    expect(sections.filter(isRead)).toEqual([]);
  });

  it("gives every document once over all texts, each of no more bytes than were asked for", async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 10_000, max: 60_000 }), async (lengths, bytes) => {
        const pages = Object.fromEntries(
          lengths.map((words, n) => [`p${String(n).padStart(2, "0")}.md`, page("Ümlaut", words)]),
        );
        const { texts, ids } = await readAll(await buildPages(pages), `?bytes=${bytes}`);
        expect(ids).toEqual(Object.keys(pages).map((path) => `docs:${path}`));
        for (const text of texts) expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(bytes);
      }),
      { numRuns: runs(12) },
    );
  });

  it("cuts a document that no text can hold, says where the whole is, and goes on behind it", async () => {
    const large = await buildPages({ "a.md": page("Large", 30_000), "b.md": page("Small", 14) });
    const { texts, ids } = await readAll(large, "?bytes=10000");
    expect(ids).toEqual(["docs:a.md", "docs:b.md"]);
    expect(texts[0]).toContain(
      "> The rest of this document is too long for this text: https://server.example/documents/docs:a.md\n",
    );
  });
});
