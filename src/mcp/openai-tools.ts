/**
 * The pair `search` and `fetch` as ChatGPT's connectors and deep research expect it: one argument each, and one block of
 * text with JSON in exactly these shapes (https://platform.openai.com/docs/mcp).
 *
 * - `search {query}` → `{results: [{id, title, url}]}`
 * - `fetch {id}` → `{id, title, text, url, metadata}`
 *
 * They are listed for the profile `openai` alone and are no tools of the framework: that adds arguments and lines which
 * those callers do not know. The texts are those of `search_documents` and `get_node_content`.
 */

import { loadDocuments } from "../core/docs/documents.ts";
import { InputError } from "../core/errors.ts";
import { createCounters } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import type { DocumentHit } from "../core/search/answer.ts";
import { MAX_EXCERPTS, MAX_QUERY_LENGTH, makeSearchRequest } from "../core/search/answer.ts";
import { search } from "../core/search/search.ts";
import { findUnanswered, type JsonObject, type Unanswered } from "../surface/render/answer.ts";
import type { Passage } from "../surface/render/passages.ts";
import { formatProblem, NO_INDEX, nameTrace, type Problem, toProblem } from "../surface/render/problem.ts";
import type { RenderedAnswer } from "../surface/render/render.ts";
import { cleanJson, cleanText, sumTokens } from "../surface/render/text.ts";
import { renderTool, type ToolServices } from "./call.ts";
import { addressOfNode } from "./resources.ts";
import { SessionCall } from "./session-call.ts";
import { READ_ONLY, type toListedTool } from "./tool.ts";
import { getNodeContentTool } from "./tools/get-node-content.ts";

type ListedTool = ReturnType<typeof toListedTool>;

interface OpenAiTool extends ListedTool {
  readonly argument: string;
  readonly run: (value: string, reader: IndexReader, services: ToolServices) => Promise<Found>;
}

interface Found {
  readonly value: JsonObject;
  /** The question, where nothing good was found. */
  readonly unanswered?: Unanswered | undefined;
}

const TOOLS: readonly OpenAiTool[] = [
  {
    name: "search",
    description:
      "Search the project's documentation and source code. Returns ids, titles and addresses of the best sections; use fetch on the ids to read them.",
    inputSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    annotations: READ_ONLY,
    argument: "query",
    run: findSections,
  },
  {
    name: "fetch",
    description: "Text of one search result, whole document or section, by its id, with title and address to cite.",
    inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    annotations: READ_ONLY,
    argument: "id",
    run: fetchSection,
  },
];

/** The pair as `tools/list` shows it. */
export const OPENAI_TOOLS: readonly ListedTool[] = TOOLS.map(({ argument: _, run: __, ...listed }) => listed);

/** The result of a call of one of the pair; undefined for another name. Never throws: what goes wrong is said in the one block. */
export async function callOpenAiTool(
  name: string,
  given: Readonly<Record<string, unknown>>,
  services: ToolServices,
): Promise<RenderedAnswer | undefined> {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) return undefined;
  const counters = createCounters();
  const finish = (
    outcome: "answered" | "refused" | "failed",
    text: string,
    unanswered?: Unanswered | undefined,
  ): RenderedAnswer => {
    const content = [{ type: "text" as const, text }];
    const tokens = sumTokens(content);
    services.observe?.({ tool: name, outcome, cost: { ...counters }, tokens, ...(unanswered && { unanswered }) });
    return outcome === "answered" ? { content } : { content, isError: true };
  };
  const refuse = (outcome: "refused" | "failed", problem: Problem): RenderedAnswer =>
    finish(outcome, cleanText(formatProblem(problem)).text);
  try {
    const value = readValue(tool, given);
    // The pair takes nothing of a session and adds nothing to it, but one that is none is not passed over in silence.
    const session = await SessionCall.enter({}, services.addressSession, services);
    const found = await services.withReader(async (reader) => {
      session?.checkCaller(reader);
      return tool.run(value, reader, services);
    }, counters);
    if (found === undefined) return refuse("refused", NO_INDEX);
    const { value: json, unanswered } = found.value;
    return finish("answered", JSON.stringify(cleanJson(json).value), unanswered);
  } catch (error) {
    const problem = toProblem(error);
    if (problem.kind === "bad-input") return refuse("refused", problem);
    services.report(problem, name);
    return refuse("failed", nameTrace(problem, services.trace));
  }
}

async function findSections(query: string, reader: IndexReader): Promise<Found> {
  const request = makeSearchRequest(query, { limit: MAX_EXCERPTS, excerpts: MAX_EXCERPTS });
  const answer = await search(reader, request);
  return { value: { results: answer.hits.map(toResultOf) }, unanswered: findUnanswered(request, answer) };
}

/** The best section of a document where its heading is known, else the document. */
function toResultOf({ id, title, url, sections }: DocumentHit): JsonObject {
  const [best] = sections;
  if (best === undefined || best.headingPath.length === 0) return { id, title, url: url || addressOfNode(id) };
  return { id: best.nodeId, title: best.headingPath.join(" > "), url: best.url || addressOfNode(best.nodeId) };
}

async function fetchSection(id: string, reader: IndexReader, services: ToolServices): Promise<Found> {
  const values = { node_ids: [id], include_descendants: true };
  const { structuredContent = {} } = await renderTool(getNodeContentTool, values, "json", reader, services);
  const [section] = structuredContent.sections as [Omit<Passage, "sections"> & { readonly nextLines?: string }];
  const { nodeId, headingPath, url, startLine, endLine, text, nextLines } = section;
  const documentId = nodeId.split("#", 1)[0] as string;
  const [document] = await loadDocuments(reader, [documentId]);
  const { commit, builtAt } = reader.generation;
  const value = {
    id: nodeId,
    title: headingPath.join(" > "),
    text,
    url: url || addressOfNode(nodeId),
    metadata: {
      document: documentId,
      collection: document?.collection ?? "",
      path: document?.path ?? "",
      lines: `${startLine}-${endLine}`,
      ...(nextLines !== undefined && { cut: `lines ${nextLines} are left out; fetch a section of the document` }),
      commit,
      builtAt,
    },
  };
  return { value };
}

function readValue({ name, argument }: OpenAiTool, given: Readonly<Record<string, unknown>>): string {
  const value = given[argument];
  const example = `${name} ${JSON.stringify({ [argument]: name === "search" ? "install on linux" : "docs:index.md" })}`;
  if (typeof value !== "string" || value.trim() === "") {
    throw new InputError(`${name} needs ${argument}, a text.`, [], example);
  }
  if (value.length > MAX_QUERY_LENGTH) {
    throw new InputError(`${argument} is longer than ${MAX_QUERY_LENGTH} characters.`, [], example);
  }
  return value;
}
