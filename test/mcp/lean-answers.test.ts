import { describe, expect, it } from "vitest";
import { callTool, type ToolServices } from "../../src/mcp/call.ts";
import { offeredTools } from "../../src/mcp/profiles.ts";
import { estimateTokens } from "../../src/surface/render/tokens.ts";
import { openSessions } from "../session/open-memory.ts";
import { services as handbook } from "./tools/handbook.ts";

type Given = Readonly<Record<string, unknown>>;

const QUERIES = [
  "lamp",
  "install behind a proxy",
  "lamp proxy",
  "proxy install linux",
  "limits of the server",
  "lamps",
];
const ID = /(?<=\s)#[^\s,;]+?(?=[\s,;]|\.?$)/gm;

async function call(services: ToolServices, tool: string, given: Given) {
  const { content, structuredContent, isError } = await callTool(offeredTools(), tool, given, services);
  const texts = content.map(({ text }) => text);
  return { texts, text: texts.join("\n"), json: structuredContent ?? {}, isError: isError === true };
}

/** Asks without a session, and within one that is opened with the first call. */
async function begin() {
  const services: ToolServices = { ...handbook, sessions: openSessions({ now: 0 }) };
  const { json } = await call(services, "open_session", { format: "json" });
  return {
    alone: (tool: string, given: Given) => call(services, tool, given),
    within: (tool: string, given: Given) => call(services, tool, { ...given, session: json.session }),
  };
}

/** The places that blocks of a search name: a document at the beginning of a block or part, ids behind it. */
function placesOf(texts: readonly string[]): string[] {
  const blocks = texts.flatMap((text) =>
    text.startsWith("Shown before: ") ? text.slice("Shown before: ".length).split("; ") : [text],
  );
  return blocks.flatMap((block) => {
    const document = /^[a-z]+:.+?\.md/.exec(block)?.[0];
    if (document === undefined) return [];
    const ids = block.split("\n").flatMap((line) => (/^ {4}/.test(line) ? [] : (line.match(ID) ?? [])));
    return ids.length === 0 ? [document] : ids.map((id) => `${document}${id}`);
  });
}

const tokensOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + estimateTokens(text), 0);

describe("a search within a session", () => {
  it("names the same places as without it, each of which the tools take, in fewer tokens", async () => {
    const { alone, within } = await begin();
    const resolve = async (places: readonly string[]): Promise<string[]> => {
      const ids: string[] = [];
      for (const place of places) {
        const { json, isError, text } = await alone("get_node_content", { node_ids: [place], format: "json" });
        expect(isError, `${place}: ${text}`).toBe(false);
        ids.push(...(json.sections as { nodeId: string }[]).map(({ nodeId }) => nodeId));
      }
      return ids.sort();
    };
    let [before, after] = [0, 0];
    for (const query of QUERIES) {
      const [whole, lean] = [await alone("search_documents", { query }), await within("search_documents", { query })];
      const [all, named] = [await resolve(placesOf(whole.texts)), await resolve(placesOf(lean.texts))];
      const unnamed = Number(/; \+(\d+)\.$/m.exec(lean.text)?.[1] ?? 0);
      expect(named.length).toBeGreaterThan(0);
      expect(all).toEqual(expect.arrayContaining(named));
      expect(named).toHaveLength(all.length - unnamed);
      before += tokensOf(whole.texts);
      after += tokensOf(lean.texts);
    }
    expect(after).toBeLessThan(before * 0.6);
  });

  it("shows three excerpts of sections that are new, and as many as a call asks for", async () => {
    const { within } = await begin();
    const excerpts = ({ text }: { readonly text: string }): number => text.match(/^ {4}(?!names )\S/gm)?.length ?? 0;
    expect(excerpts(await within("search_documents", { query: "lamp", limit: 20 }))).toBe(3);
    const { within: another } = await begin();
    expect(excerpts(await another("search_documents", { query: "lamp", limit: 20, excerpts: 6 }))).toBe(6);
    expect(excerpts(await another("search_documents", { query: "limits", excerpts: 0 }))).toBe(0);
  });

  it("shows texts and explanations that a call asks for as without a session", async () => {
    const { alone, within } = await begin();
    for (const more of [{ include_content: true }, { explain: true }]) {
      const given = { query: "lamp", limit: 1, ...more };
      const [whole, asked] = [
        await alone("search_documents", given),
        await (await begin()).within("search_documents", given),
      ];
      expect(asked.texts).toEqual(whole.texts);
      expect((await within("search_documents", given)).texts).toHaveLength(whole.texts.length);
    }
  });

  it("gives facets once, and again where a call filters", async () => {
    const { within } = await begin();
    const ask = async (given: Given) => (await within("search_documents", { limit: 2, ...given })).text;
    expect(await ask({ query: "lamp" })).toContain("Facets of all");
    expect(await ask({ query: "the lamp recipe" })).not.toContain("Facets of all");
    expect(await ask({ query: "lamp", filters: { collection: "docs" } })).toContain("Facets of all");
  });

  it("gives a document's title once", async () => {
    const { within } = await begin();
    const titled = "docs:guide/install.md Install Lantern";
    expect((await within("search_documents", { query: "proxy" })).text).toContain(titled);
    const again = await within("search_documents", { query: "linux package manager" });
    expect(again.text).toContain("docs:guide/install.md\n");
    expect(again.text).not.toContain(titled);
  });

  it("stays complete in JSON and TOON", async () => {
    for (const format of ["json", "toon"]) {
      const { alone, within } = await begin();
      const given = { query: "lamp proxy", format };
      expect((await within("search_documents", given)).texts).toEqual((await alone("search_documents", given)).texts);
    }
  });

  it("says as much as without a session where nothing is found", async () => {
    const { alone, within } = await begin();
    const given = { query: "zzzxqy" };
    expect((await within("search_documents", given)).texts).toEqual((await alone("search_documents", given)).texts);
  });

  it("goes on with the cursor that it names", async () => {
    const { alone, within } = await begin();
    const given = { query: "lamp", limit: 2 };
    const first = await within("search_documents", given);
    const cursor = /^Next page: cursor "([\w-]+)"\.$/m.exec(first.text)?.[1];
    const [next, same] = [
      await within("search_documents", { ...given, cursor }),
      await alone("search_documents", { ...given, cursor, format: "json" }),
    ];
    const documents = placesOf(next.texts).map((place) => place.split("#", 1)[0]);
    expect([...new Set(documents)]).toEqual((same.json.results as { id: string }[]).map(({ id }) => id));
  });
});

describe("an outline within a session", () => {
  it("names every section by its number, which the tools take, with what the first level says", async () => {
    const { alone, within } = await begin();
    const { text, texts } = await within("get_tree", { doc_id: "docs:guide/install.md" });
    const { json } = await alone("get_tree", { doc_id: "docs:guide/install.md", format: "json" });
    const sections = json.sections as { nodeId: string; summary: string }[];
    expect(texts[1]?.match(/^ *#n\d+/gm)).toHaveLength(sections.length);
    for (const [number, { nodeId }] of sections.entries()) {
      const read = await alone("get_node_content", {
        doc_id: "docs:guide/install.md",
        node_ids: [`#n${number}`],
        format: "json",
      });
      expect((read.json.sections as { nodeId: string }[])[0]?.nodeId).toBe(nodeId);
    }
    expect(text).toContain("#n1 Linux @10-19: Use the package manager to install the server.");
    expect(text).not.toContain("Set HTTP_PROXY");
    const part = await within("get_tree", { node_id: "docs:guide/install.md#n1" });
    expect(part.text).toContain("Set HTTP_PROXY");
  });
});

describe("texts within a session", () => {
  it("are whole, under ids that say where they stand", async () => {
    const { alone, within } = await begin();
    const given = { node_ids: ["docs:guide/install.md#linux"], include_descendants: true };
    const [whole, lean] = [await alone("get_node_content", given), await within("get_node_content", given)];
    const textOf = (text = ""): string => text.slice(text.indexOf("\n"));
    expect(textOf(lean.texts[1])).toBe(textOf(whole.texts[1]));
    expect(lean.texts[1]).toMatch(/^docs:guide\/install\.md#linux @10-32\n/);
  });
});
