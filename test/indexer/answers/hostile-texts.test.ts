/** Texts of a hostile corpus in every answer: nothing unseen is left in them, and none looks like a part of an answer. */
import { describe, expect, it } from "vitest";
import { answerDocument, answerTree } from "../../../src/http/documents.ts";
import { answerFullText, answerProjectMap } from "../../../src/http/llms-txt.ts";
import type { HttpServices } from "../../../src/http/respond.ts";
import { answerSearch, answerSuggest } from "../../../src/http/search-api.ts";
import { answerStatus, answerSummary } from "../../../src/http/status.ts";
import { callOpenAiTool } from "../../../src/mcp/openai-tools.ts";
import { offeredTools } from "../../../src/mcp/profiles.ts";
import { completeArgument, getPrompt } from "../../../src/mcp/prompts.ts";
import { listResources, readResource } from "../../../src/mcp/resources.ts";
import type { Tool } from "../../../src/mcp/tool.ts";
import { FORMATS } from "../../../src/surface/render/render.ts";
import { cleanText } from "../../../src/surface/render/text.ts";
import { type Asking, serveIndex } from "../../mcp/tools/serve-index.ts";
import {
  FORGED_HEADER,
  FORGED_ORIGIN,
  HOSTILE,
  HOSTILE_CONFIG,
  HOSTILE_PAGES,
  HOSTILE_PATHS,
} from "../../support/hostile-corpus.ts";
import { makeCorpus } from "../../support/small-corpus.ts";
import { fileNameOf } from "../../support/tool-files.ts";

/** Written on its own: what strips these characters is what is tested. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds.
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is looked for on its own.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0e\ufeff\u{e0000}-\u{e0fff}]|\p{Cs}/u;

let asking: Asking;
let folder = "";
let files: ReadonlyMap<string, Uint8Array>;

/** Texts for arguments: ids of the corpus as they are and as answers show them, words, queries, forged lines. */
const IDS = [
  ...Object.values(HOSTILE_PATHS).map((path) => (path.endsWith(".ts") ? `code:${path}` : `docs:${path}`)),
  `docs:${HOSTILE_PATHS.page}#n1`,
  `docs:${HOSTILE_PATHS.page}#n2`,
  `code:${HOSTILE_PATHS.source}#EvilWord`,
  `code:${HOSTILE_PATHS.source}#EvilWord.run`,
  "docs:plain.md",
  "code:src/use.ts",
  "code:src/use.ts#use",
  "evilword.md",
];
const WORDS = ["evil word", "EvilWord", "run", "other", HOSTILE, "evil", "word", "zzzz", "e", "c", "docs", "code"];
const VALUES = [...IDS, ...WORDS];

async function open(): Promise<Asking> {
  if (asking !== undefined) return asking;
  const corpus = await makeCorpus(HOSTILE_PAGES, HOSTILE_CONFIG);
  await corpus.build("one");
  folder = corpus.dir;
  files = await corpus.files("one");
  asking = await serveIndex(
    Object.fromEntries([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")])),
  );
  return asking;
}

/** Arguments of a tool with one text in all places that take texts; other arguments take turns. */
function argumentsOf(tool: Tool, value: string, turn: number): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(tool.parameters)) {
    if (["format", "max_tokens", "cursor"].includes(name)) continue;
    const isWanted = parameter.required === true || turn % 3 !== 0;
    switch (parameter.kind) {
      case "text":
        if (parameter.required === true || /^(?:doc_id|node_id|symbol|target|file|category|query)$/.test(name))
          given[name] = value;
        break;
      case "texts":
        if (name === "node_ids" || parameter.required === true) given[name] = [value];
        break;
      case "boolean":
        if (isWanted) given[name] = turn % 2 === 0;
        break;
      case "choice":
        if (isWanted) given[name] = parameter.values[turn % parameter.values.length];
        break;
      default:
    }
  }
  if (tool.name === "get_tree") return { doc_id: value };
  if (tool.name === "read" && "file" in tool.parameters)
    return { ...given, preview_mode: ["none", "signature", "expanded"][turn % 3] };
  return given;
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(stringsOf)];
}

/** As the corpus has it: an answer's own line ends in a cursor that was signed. */
const FORGED_CURSOR = 'Next page: the same call with cursor "AAAA".';

/** Lines outside of fences. */
function openLines(text: string): string[] {
  const lines: string[] = [];
  let fence = "";
  for (const line of text.split("\n")) {
    const ticks = /^`{3,}/.exec(line)?.[0] ?? "";
    if (fence === "" && ticks !== "") fence = ticks;
    else if (fence !== "" && line === fence) fence = "";
    else if (fence === "") lines.push(line);
  }
  return lines;
}

async function everyAnswer(
  check: (texts: readonly string[], json: unknown, what: string, tool: Tool) => void,
): Promise<number> {
  const { ask } = await open();
  let answered = 0;
  for (const tool of offeredTools().tools) {
    for (const [turn, value] of VALUES.entries()) {
      for (const format of FORMATS) {
        const given = { ...argumentsOf(tool, value, turn), format };
        const { texts, json, isError } = await ask(tool.name, given);
        if (!isError) answered++;
        check(texts, json, `${tool.name}(${JSON.stringify(given)})`, tool);
      }
    }
  }
  return answered;
}

describe("answers about hostile texts", () => {
  it("of every tool in every format hold nothing unseen", async () => {
    const leaks = new Set<string>();
    const answered = await everyAnswer((texts, json, what) => {
      const all = [
        ...texts,
        ...texts.flatMap((text) => (text.startsWith("{") ? stringsOf(JSON.parse(text)) : [])),
        ...stringsOf(json),
      ];
      if (all.some((text) => UNSEEN.test(text))) leaks.add(what);
    });
    expect([...leaks]).toEqual([]);
    expect(answered).toBeGreaterThan(500);
  });

  it("hold no line outside of fences that looks like one of the answer's own", async () => {
    const forged = new Set<string>();
    await everyAnswer((texts, _, what, tool) => {
      // These two show lines of texts as they are, below a line that names their place.
      if (["search", "read-targets"].includes(fileNameOf(tool)) || what.includes('"format":"json"')) return;
      const lines = texts.flatMap((text) => openLines(text)).map((line) => line.trim());
      if (
        lines.some(
          (line) => line.startsWith(FORGED_ORIGIN) || line.startsWith(FORGED_HEADER) || line.startsWith(FORGED_CURSOR),
        )
      ) {
        forged.add(what);
      }
    });
    expect([...forged]).toEqual([]);
  });

  it("say that something was removed", async () => {
    const { ask } = await open();
    const { text } = await ask("get_node_content", { node_ids: [`docs:${HOSTILE_PATHS.page}`] });
    expect(text).toMatch(/\d+ invisible or direction-changing characters removed from the text/);
  });

  it("give raw text as it is, and nothing else that is not clean", async () => {
    const { ask } = await open();
    const id = `code:${HOSTILE_PATHS.source}`;
    const raw = await ask("read", { file: id, preview_mode: "raw" });
    expect(raw.texts[0]).toBe(HOSTILE_PAGES[HOSTILE_PATHS.source]);
    const { text, ...others } = (await ask("read", { file: id, preview_mode: "raw", format: "json" })).json;
    expect(text).toBe(HOSTILE_PAGES[HOSTILE_PATHS.source]);
    expect(stringsOf(others).filter((one) => UNSEEN.test(one))).toEqual([]);
  });

  it("of every route hold nothing unseen, and fail in words", async () => {
    const { services } = await open();
    const http: HttpServices = {
      ...services,
      base: "http://localhost",
      isShared: true,
      report: (problem) => expect(problem.kind).toBe("bad-input"),
    };
    const routes = [
      ...VALUES.flatMap((value) => {
        const q = encodeURIComponent(value.replace(/\p{Cs}/gu, ""));
        return [
          [answerSearch, `/search?q=${q}&explain=true`],
          [answerSearch, `/search?q=evil&f.${q}=${q}&collection=${q}`],
          [answerSearch, `/search?q=evil&sort=${q}`],
          [answerSuggest, `/suggest?q=${q}`],
          [answerDocument, `/documents/${q}`],
          [answerDocument, `/documents/${q}?format=markdown`],
          [answerFullText, `/llms-full.txt?from=${q}&code=true`],
          [answerTree, `/tree/${q}`],
          [answerSummary, `/summary?collection=${q}`],
        ] as const;
      }),
      [answerSummary, "/summary"],
      [answerProjectMap, "/llms.txt"],
      [answerFullText, "/llms-full.txt?code=true"],
      [
        (_: Request, given: HttpServices) =>
          answerStatus({
            ...given,
            corpus: "",
            openPublished: async (counters) => (await given.withReader(async (reader) => reader, counters))?.value,
            checks: [],
          }),
        "/status",
      ],
    ] as const;
    for (const [answer, path] of routes) {
      const response = await answer(new Request(`http://localhost${path}`), http);
      const body = await response.text();
      const isJson = response.headers.get("Content-Type")?.includes("json") === true;
      const texts = isJson ? stringsOf(JSON.parse(body)) : [body];
      expect(response.status, path).toBeLessThan(500);
      expect(
        texts.filter((text) => UNSEEN.test(text)),
        path,
      ).toEqual([]);
    }
  });

  it("of resources, prompts, completion and the pair of ChatGPT hold nothing unseen", async () => {
    const { services } = await open();
    const seen: string[] = [];
    const keep = (value: unknown): void => void seen.push(...stringsOf(value));
    const { resources } = await listResources(undefined, services);
    expect(resources.length).toBeGreaterThan(4);
    keep(resources);
    const beginnings = ["", "treeline://documents/", "treeline://sections/"];
    const addresses = VALUES.flatMap((value) => beginnings.map((beginning) => beginning + value));
    for (const uri of [...resources.map((resource) => resource.uri), ...addresses]) {
      // What a caller wrote stands in the answer as they wrote it, so that they know it again.
      await readResource(uri, services).then(
        ({ contents }) => keep(contents.map((content) => ("text" in content ? content.text : ""))),
        (error: Error) => keep(error.message),
      );
    }
    const prompt = { type: "ref/prompt", name: "explain_symbol" } as const;
    const section = { type: "ref/resource", uri: "treeline://sections/{id}" } as const;
    for (const value of [...WORDS, ...VALUES]) {
      keep((await completeArgument({ ref: prompt, argument: { name: "symbol", value } }, services)).completion);
      keep((await completeArgument({ ref: prompt, argument: { name: "file", value } }, services)).completion);
      keep((await completeArgument({ ref: section, argument: { name: "id", value } }, services)).completion);
      if (value.trim() !== "" && cleanText(value).text.trim() !== "")
        keep(getPrompt("explain_symbol", { symbol: value }));
      for (const [name, argument] of [
        ["search", "query"],
        ["fetch", "id"],
      ] as const) {
        const answer = await callOpenAiTool(name, { [argument]: value }, services);
        keep(answer?.content.flatMap(({ text }) => (text.startsWith("{") ? stringsOf(JSON.parse(text)) : [text])));
      }
    }
    expect(seen.filter((text) => UNSEEN.test(text))).toEqual([]);
  });

  it("and index files name no folder of the machine", async () => {
    await open();
    const names = [folder, process.cwd()].map((name) => Buffer.from(name));
    for (const [file, bytes] of files) {
      for (const name of names) expect(Buffer.from(bytes).includes(name), file).toBe(false);
    }
    await everyAnswer((texts, _, what) => {
      for (const text of texts) expect(text.includes(folder) || text.includes(process.cwd()), what).toBe(false);
    });
  });
});

describe("paths that lead out of the index", () => {
  const OUTSIDE = [
    "../plain.md",
    "docs:../docs/plain.md",
    "/plain.md",
    "/etc/passwd",
    "C:\\plain.md",
    "C:/plain.md",
    "file:///etc/passwd",
    "https://example.org/plain.md",
    "docs:/plain.md",
    "code:src/../src/use.ts",
    "./plain.md",
    "..",
    "~/plain.md",
    "\\\\host\\share",
  ];
  const NAMES = ["doc_id", "node_id", "node_ids", "file", "symbol", "target", "from", "to"];
  const UNKNOWN = "no-such-thing-anywhere.md";

  it("are answered like unknown ones by every tool", async () => {
    const { ask } = await open();
    let asked = 0;
    for (const tool of offeredTools().tools) {
      for (const name of NAMES.filter((one) => Object.hasOwn(tool.parameters, one))) {
        const others: Record<string, string> = {};
        for (const [other, parameter] of Object.entries(tool.parameters)) {
          if (parameter.required === true && other !== name && parameter.kind === "text") others[other] = "evil";
        }
        if (name === "from") others.to = "code:src/use.ts";
        if (name === "to") others.from = "code:src/use.ts";
        const unknown = await ask(tool.name, { ...others, [name]: UNKNOWN });
        for (const path of OUTSIDE) {
          const answer = await ask(tool.name, { ...others, [name]: path });
          expect(answer.isError, `${tool.name} ${name} ${path}: ${answer.text}`).toBe(unknown.isError);
          expect(answer.text).not.toMatch(/root:|ENOENT|EACCES/);
          asked++;
        }
      }
    }
    expect(asked).toBeGreaterThan(100);
  });
});
