/**
 * Resources: what is indexed as addresses that a person or a client attaches by hand. Their texts are those that the tools
 * give, so they are cleaned, fenced and within a budget like any other.
 *
 * Listed are the state of the index, its map, and then all documents in the order of the index, page by page. Documents and
 * sections are also read by their ids through templates. An id stands in an address as it is, or escaped, which one with a `%` must be.
 */

import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { listDocumentNames } from "../core/docs/catalogue.ts";
import { readProjectMap } from "../core/docs/project-map.ts";
import { InputError } from "../core/errors.ts";
import { createCounters } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { unescapeText } from "../core/parse-text.ts";
import { nearestNames, quoteName } from "../core/text/nearest.ts";
import { formatProblem, NO_INDEX, toProblem } from "../surface/render/problem.ts";
import { formatProjectMap } from "../surface/render/project-map.ts";
import { cleanText } from "../surface/render/text.ts";
import { renderTool, type ToolServices } from "./call.ts";
import { type CursorScope, readCursor, signCursor } from "./cursor.ts";
import { getNodeContentTool } from "./tools/get-node-content.ts";
import { indexStatusTool } from "./tools/index-status.ts";

/** What addresses of documents begin with. */
const DOCUMENTS_URI = "treeline://documents/";
/** What addresses of sections begin with. */
export const SECTIONS_URI = "treeline://sections/";
const STATUS_URI = "treeline://status";
const MAP_URI = "treeline://llms.txt";

const MARKDOWN = "text/markdown";
/** Documents of one page of the list. */
const PAGE_DOCUMENTS = 200;
const MAX_NEAREST = 5;

/** Resources that every index has. */
const FIXED: readonly Resource[] = [
  {
    uri: STATUS_URI,
    name: "status",
    title: "What is indexed",
    description: "Generation, commit, age, collections and sizes.",
    mimeType: "application/json",
    annotations: { audience: ["user", "assistant"], priority: 0.3 },
  },
  {
    uri: MAP_URI,
    name: "llms.txt",
    title: "Map of the project",
    description: "Collections, folders, what most leads to, packages; 8 kB at most. To read before the first question.",
    mimeType: MARKDOWN,
    annotations: { audience: ["assistant"], priority: 1 },
  },
];

/** The templates, both with completion of their `id`. */
export const RESOURCE_TEMPLATES: ResourceTemplateType[] = [
  {
    uriTemplate: `${DOCUMENTS_URI}{id}`,
    name: "document",
    title: "A document",
    description: "Text of a page or source file, by its id (docs:guide/install.md).",
    mimeType: MARKDOWN,
    annotations: { audience: ["user", "assistant"], priority: 0.5 },
  },
  {
    uriTemplate: `${SECTIONS_URI}{id}`,
    name: "section",
    title: "A section or symbol",
    description: "Text of a section with what is below it, or of a symbol, by its id (docs:guide/install.md#linux).",
    mimeType: MARKDOWN,
    annotations: { audience: ["user", "assistant"], priority: 0.7 },
  },
];

/** A page of the list. Without an index that can be read it holds what every index has. */
export async function listResources(cursor: string | undefined, services: ToolServices): Promise<ListResourcesResult> {
  return withIndex(services, "resources/list", async (reader) => {
    const key = await services.signingKeys("cursor");
    const collections = reader.collections.map(({ name }) => name);
    const scope: CursorScope = { tool: "resources/list", values: {}, generation: reader.generation.id, collections };
    const from = cursor === undefined ? 0 : await readCursor(key, scope, cursor);
    const names = await listDocumentNames(reader);
    const end = from + PAGE_DOCUMENTS;
    const documents = names.slice(from, end).map(({ id, title }) => toResource(id, title));
    return {
      resources: cursor === undefined ? [...FIXED, ...documents] : documents,
      ...(end < names.length && { nextCursor: await signCursor(key, scope, end) }),
    };
  }).catch((error: unknown) => {
    if (error instanceof InputError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    if (cursor === undefined && error instanceof ProtocolError) return { resources: [...FIXED] };
    throw error;
  });
}

/**
 * What an address stands for.
 *
 * @throws {ResourceNotFoundError} with the nearest addresses, where it stands for nothing.
 * @throws {ProtocolError} where no index can be read.
 */
export async function readResource(uri: string, services: ToolServices): Promise<ReadResourceResult> {
  const read = readerOf(uri);
  if (read === undefined) throw unknownAddress(uri);
  try {
    const { mimeType, text } = await withIndex(services, "resources/read", (reader) => read(reader, services));
    return { contents: [{ uri, mimeType, text }] };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const near = error.nearest.map(addressOfNode);
    throw new ResourceNotFoundError(cleanText(uri).text, describeUnknown(cleanText(error.message).text, near));
  }
}

interface ResourceText {
  readonly mimeType: string;
  readonly text: string;
}

type ReadText = (reader: IndexReader, services: ToolServices) => Promise<ResourceText>;

function readerOf(uri: string): ReadText | undefined {
  if (uri === STATUS_URI) return readStatus;
  if (uri === MAP_URI) return readMap;
  if (uri.startsWith(DOCUMENTS_URI)) {
    return (reader, services) => readText(uri.slice(DOCUMENTS_URI.length), "document", reader, services);
  }
  if (uri.startsWith(SECTIONS_URI)) {
    return (reader, services) => readText(uri.slice(SECTIONS_URI.length), "section", reader, services);
  }
  return undefined;
}

async function readStatus(reader: IndexReader, services: ToolServices): Promise<ResourceText> {
  const { structuredContent } = await renderTool(indexStatusTool, {}, "json", reader, services);
  return { mimeType: "application/json", text: JSON.stringify(structuredContent) };
}

async function readMap(reader: IndexReader): Promise<ResourceText> {
  return { mimeType: MARKDOWN, text: cleanText(formatProjectMap(await readProjectMap(reader))).text };
}

async function readText(
  written: string,
  kind: "document" | "section",
  reader: IndexReader,
  services: ToolServices,
): Promise<ResourceText> {
  const id = unescapeText(written);
  if (kind === "document" && id.includes("#"))
    throw new InputError(`${quoteName(id)} is a section, no document.`, [id]);
  const values = { node_ids: [id], include_descendants: true };
  const { content } = await renderTool(getNodeContentTool, values, "text", reader, services);
  return { mimeType: MARKDOWN, text: content.map(({ text }) => text).join("\n\n") };
}

function toResource(id: string, title: string): Resource {
  return {
    uri: addressOf(DOCUMENTS_URI, id),
    name: cleanText(id).text,
    title: cleanText(title).text,
    mimeType: MARKDOWN,
  };
}

/** Address of the resource that a document or section is. */
export function addressOfNode(id: string): string {
  return addressOf(id.includes("#") ? SECTIONS_URI : DOCUMENTS_URI, id);
}

/** Ids stay readable: `:` and `/` mean nothing behind the beginning of an address. */
function addressOf(beginning: string, id: string): string {
  return `${beginning}${encodeURIComponent(id).replaceAll("%3A", ":").replaceAll("%2F", "/")}`;
}

function unknownAddress(uri: string): ResourceNotFoundError {
  const known = [STATUS_URI, MAP_URI, ...RESOURCE_TEMPLATES.map(({ uriTemplate }) => uriTemplate)];
  const near = nearestNames(uri, known, MAX_NEAREST);
  return new ResourceNotFoundError(
    cleanText(uri).text,
    describeUnknown(`There is no resource ${quoteName(cleanText(uri).text)}.`, near.length > 0 ? near : known),
  );
}

function describeUnknown(message: string, near: readonly string[]): string {
  return near.length === 0 ? message : `${message} Did you mean: ${near.map((one) => cleanText(one).text).join(", ")}?`;
}

/** @throws {ProtocolError} where there is no index, or it cannot be read; what callers can mend as it is. */
async function withIndex<T>(
  services: ToolServices,
  where: string,
  run: (reader: IndexReader) => Promise<T>,
): Promise<T> {
  const found = await services.withReader(run, createCounters()).catch((error: unknown) => {
    if (error instanceof InputError || error instanceof ProtocolError) throw error;
    const problem = toProblem(error);
    services.report(problem, where);
    throw new ProtocolError(ProtocolErrorCode.InternalError, formatProblem(problem));
  });
  if (found === undefined) throw new ProtocolError(ProtocolErrorCode.InternalError, formatProblem(NO_INDEX));
  return found.value;
}
