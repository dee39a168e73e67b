/**
 * Routes `/llms.txt`, a map of all that the caller may see, and `/llms-full.txt`, all of it in one text.
 *
 * In the full text, pages are ordered by collection and path, each below its address and id. Source files are included on request only:
 * they would be most of the text, and the tools know more about them. The end says what did not fit, with the address that goes on;
 * following it to the end gives every document once.
 */
import { utf8Length } from "../core/bytes/encodings.ts";
import { concatBytes, encodeUtf8 } from "../core/bytes/writer.ts";
import { type CatalogueName, checkCollection, listDocumentNames } from "../core/docs/catalogue.ts";
import { readWholeTexts } from "../core/docs/documents.ts";
import type { DocumentEntry } from "../core/docs/model.ts";
import { readProjectMap } from "../core/docs/project-map.ts";
import { InputError } from "../core/errors.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { openTextBudget, type TextBudget } from "../core/index/read-texts.ts";
import { nearestNames, quoteName } from "../core/text/nearest.ts";
import { type AddressParameters, readParameters } from "../surface/parameters.ts";
import { fence } from "../surface/render/passages.ts";
import { formatProjectMap } from "../surface/render/project-map.ts";
import { cleanLongText, cleanText, foldLine, formatCount } from "../surface/render/text.ts";
import { ownPage } from "./addresses.ts";
import { OPENAPI_PATH } from "./page-files.ts";
import { answerFromIndex, type HttpServices } from "./respond.ts";

export const FULL_TEXT_PATH = "/llms-full.txt";

const EXAMPLE = `${FULL_TEXT_PATH}?collection=docs`;
const MEBIBYTE = 1024 * 1024;
const LINE_FEED = encodeUtf8("\n");

export const FULL_TEXT_PARAMETERS = {
  collection: { kind: "texts", default: [], description: "only these collections", example: "docs" },
  code: { kind: "boolean", default: false, description: "true for source files as well, behind the pages" },
  from: {
    kind: "text",
    default: "",
    description: "id of the document to begin with: the end of a text that is cut names the next one",
  },
  bytes: {
    kind: "integer",
    default: 2 * MEBIBYTE,
    minimum: 10_000,
    maximum: 4 * MEBIBYTE,
    description: "bytes of the answer at most, as UTF-8",
  },
} as const satisfies AddressParameters;

interface FullTextRequest {
  readonly collections: readonly string[];
  readonly code: boolean;
  /** Id of the first document, or `""`. */
  readonly from: string;
  readonly bytes: number;
}

/** Documents that are read together, as far as the budget goes. */
const ROUND_DOCUMENTS = 64;
/** Kept for what is said behind the documents. */
const END_BYTES = 2000;
const MAX_NAMES = 20;
const MAX_TITLE = 200;

export function answerFullText(request: Request, services: HttpServices): Promise<Response> {
  const { searchParams } = new URL(request.url);
  return answerFromIndex(request, services, {
    where: FULL_TEXT_PATH,
    run: async (reader) => {
      const { collection, code, from, bytes } = readParameters(searchParams, FULL_TEXT_PARAMETERS, [], EXAMPLE);
      for (const name of collection) checkCollection(reader, name);
      const asked = { collections: collection, code, from, bytes };
      const parts = await writeFullText(reader, asked, services.base);
      const text = concatBytes(parts.flatMap((part, at) => (at === 0 ? [part] : [LINE_FEED, part])));
      return new Response(text, {
        headers: { "Content-Type": "text/plain; charset=utf-8", "Content-Length": `${text.length}` },
      });
    },
  });
}

/** Parts of the text, as UTF-8: each is encoded once, which is also how its size is known. */
async function writeFullText(
  reader: IndexReader,
  asked: FullTextRequest,
  base: string,
): Promise<readonly Uint8Array[]> {
  const { names, codeFiles } = await listNames(reader, asked);
  const first = asked.from === "" ? 0 : findStart(names, asked.from);
  const parts = [encodeUtf8(describeText(reader, names, base))];
  let left = asked.bytes - END_BYTES - (parts[0]?.length ?? 0);
  let next = first;
  const budget = openTextBudget(asked.bytes);
  for (let isFull = false; !isFull && next < names.length; ) {
    const round = names.slice(next, next + ROUND_DOCUMENTS);
    for (const { text, isCut } of await readDocuments(reader, round, budget, base)) {
      const isFirst = next === first;
      const bytes = encodeUtf8(text);
      isFull = isCut || bytes.length > left;
      if (isFull && !isFirst) break;
      // Else the text would never get past a document that is larger than any answer.
      parts.push(isFull ? encodeUtf8(cutDocument(text, left)) : bytes);
      left -= bytes.length;
      next++;
      if (isFull) break;
    }
  }
  parts.push(encodeUtf8(describeEnd(asked, base, names.slice(next), codeFiles)));
  return parts;
}

/** Names of the documents in order, pages first, and how many source files were left out. */
async function listNames(reader: IndexReader, { collections, code }: FullTextRequest) {
  const all = await listDocumentNames(reader);
  const byCollection = Map.groupBy(all, ({ collection }) => collection);
  const wanted = reader.collections.filter(({ name }) => collections.length === 0 || collections.includes(name));
  const namesOf = (isCode: boolean): CatalogueName[] =>
    wanted.flatMap(({ name, kind }) => ((kind === "code") === isCode ? (byCollection.get(name) ?? []) : []));
  const files = namesOf(true);
  return { names: [...namesOf(false), ...(code ? files : [])], codeFiles: code ? 0 : files.length };
}

function findStart(names: readonly CatalogueName[], from: string): number {
  const at = names.findIndex(({ id }) => id === from);
  if (at >= 0) return at;
  const nearest = nearestNames(
    from,
    names.map(({ id }) => id),
  );
  throw new InputError(`There is no document ${quoteName(from)} in this text to begin with.`, nearest, EXAMPLE);
}

/** Texts of documents, in order; the first one that the budget does not hold, and those behind it, are cut. */
async function readDocuments(
  reader: IndexReader,
  names: readonly CatalogueName[],
  budget: TextBudget,
  base: string,
): Promise<readonly { readonly text: string; readonly isCut: boolean }[]> {
  const ids = names.map(({ id }) => id);
  const code = new Set(reader.collections.filter(({ kind }) => kind === "code").map(({ name }) => name));
  return (await readWholeTexts(reader, ids, budget)).map(({ document, text, isCut }) => ({
    text: formatDocument(document, text, code.has(document.collection), base),
    isCut: isCut === true,
  }));
}

/** A document below where it is from. Its title stands above it where it does not begin with one. */
function formatDocument({ id, title, url }: DocumentEntry, source: string, isCode: boolean, base: string): string {
  const text = cleanLongText(source).text.trim();
  const heading = isCode || !/^# /.test(text) ? `# ${foldLine(cleanText(title).text, MAX_TITLE)}\n\n` : "";
  const address = cleanText(url === "" ? ownPage(base, id) : url).text;
  return `---\nSource: ${address}\nId: ${cleanText(id).text.replace(/\s+/g, " ")}\n---\n\n${heading}${isCode ? fence(text) : text}\n`;
}

function describeText(reader: IndexReader, names: readonly CatalogueName[], base: string): string {
  const collections = [...new Set(names.map(({ collection }) => collection))].slice(0, MAX_NAMES);
  const title = collections.length === 0 ? "No documents" : cleanText(collections.join(", ")).text;
  const commit = cleanText(reader.generation.commit).text;
  return `# ${title}\n\n> The text of ${formatCount(names.length, "document")}, as of commit ${commit}. A map of them: ${base}/llms.txt\n`;
}

function describeEnd(asked: FullTextRequest, base: string, rest: readonly CatalogueName[], codeFiles: number): string {
  const [next] = rest;
  const lines: string[] = [];
  const address = (changes: Readonly<Record<string, string>>): string => {
    const given = new URLSearchParams();
    for (const name of asked.collections) given.append("collection", name);
    if (asked.code) given.set("code", "true");
    if (asked.bytes !== FULL_TEXT_PARAMETERS.bytes.default) given.set("bytes", String(asked.bytes));
    for (const [name, value] of Object.entries(changes)) given.set(name, value);
    return `${base}${FULL_TEXT_PATH}?${given}`;
  };
  if (next !== undefined) {
    lines.push(
      `> Not in this text: ${formatCount(rest.length, "more document")}. Go on: ${address({ from: next.id })}`,
    );
  }
  if (next === undefined && codeFiles > 0) {
    lines.push(`> Not in this text: ${formatCount(codeFiles, "source file")}. With them: ${address({ code: "true" })}`);
  }
  return lines.length === 0 ? "" : `---\n\n${lines.join("\n")}\n`;
}

/** The lines of a document that fit, and a line that says so. */
function cutDocument(text: string, bytes: number): string {
  let size = 0;
  const lines = text.split("\n");
  const end = lines.findIndex((line) => {
    size += utf8Length(line) + 1;
    return size > bytes;
  });
  const [, address = ""] = /^Source: (.*)$/m.exec(text) ?? [];
  return `${lines.slice(0, end < 0 ? lines.length : end).join("\n")}\n\n> The rest of this document is too long for this text: ${address}\n`;
}

const WHERE = "/llms.txt";

/** The answer to `GET /llms.txt`: Markdown of 8 kB at most. */
export function answerProjectMap(request: Request, services: HttpServices): Promise<Response> {
  return answerFromIndex(request, services, {
    where: WHERE,
    run: async (reader) =>
      new Response(formatProjectMap(await readProjectMap(reader), listLinks(services.base)), {
        headers: { "Content-Type": "text/plain; charset=utf-8" },
      }),
  });
}

function listLinks(base: string): Parameters<typeof formatProjectMap>[1] {
  return {
    // Brackets would end the link that holds it.
    textOf: (id) => `${ownPage(base, id).replaceAll("(", "%28").replaceAll(")", "%29")}?format=markdown`,
    optional: [
      { title: "All pages in one text", url: `${base}${FULL_TEXT_PATH}`, note: "Markdown, two megabytes at a time" },
      { title: "Connect an agent", url: `${base}/connect?format=markdown`, note: `the tools are at ${base}/mcp` },
      {
        title: "HTTP interface",
        url: `${base}${OPENAPI_PATH}`,
        note: `OpenAPI; ${base}/search?q=WORDS finds sections`,
      },
    ],
  };
}
