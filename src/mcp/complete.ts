/**
 * MCP's own completion: values for an argument of a prompt, or for the id of a resource, that somebody begins to type.
 *
 * A wrong prompt or template is an error of the client; anything else that has no values has none.
 */
import { type CompleteRequest, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { completeSymbols } from "../core/code/complete-symbols.ts";
import { listDocumentNames } from "../core/docs/catalogue.ts";
import { readCategories } from "../core/docs/categories.ts";
import { categoryShards } from "../core/docs/concepts.ts";
import { resolveOutlines } from "../core/docs/documents.ts";
import { createCounters } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { codeShards } from "../core/index/shards.ts";
import { codeLanguageOf } from "../core/text/code-languages.ts";
import { compareNames } from "../core/text/names.ts";
import { quoteName } from "../core/text/nearest.ts";
import { foldCase } from "../core/text/normalize.ts";
import { toProblem } from "../surface/render/problem.ts";
import { cleanText } from "../surface/render/text.ts";
import type { ToolServices } from "./call.ts";
import { type Completed, completedBy } from "./prompts.ts";
import { RESOURCE_TEMPLATES, SECTIONS_URI } from "./resources.ts";

/** Most values of an answer, by the protocol. */
const MAX_VALUES = 100;

/** Values of an argument, as the protocol has them. A type alias, so that it counts as a JSON object. */
export type Completion = { completion: { values: string[]; total: number; hasMore: boolean } };

const NOTHING: Completion = { completion: { values: [], total: 0, hasMore: false } };

/**
 * Values for an argument, best first. Where the index cannot be read there are none: who types is not helped by an error.
 *
 * @throws {ProtocolError} for a prompt or template that there is not.
 */
export async function completeArgument(
  { ref, argument }: Pick<CompleteRequest["params"], "ref" | "argument">,
  services: ToolServices,
): Promise<Completion> {
  const kind = kindOf(ref, argument.name);
  if (kind === undefined) return NOTHING;
  try {
    const found = await services.withReader((reader) => COMPLETE[kind](reader, argument.value), createCounters());
    return found?.value ?? NOTHING;
  } catch (error) {
    services.report(toProblem(error), "completion/complete");
    return NOTHING;
  }
}

type Kind = Completed | "document" | "section";

const COMPLETE: Readonly<Record<Kind, (reader: IndexReader, value: string) => Promise<Completion>>> = {
  symbol: completeSymbol,
  async collection(reader, value) {
    return choose(
      reader.collections.map(({ name }) => name),
      value,
    );
  },
  async category(reader, value) {
    if (categoryShards(reader).length === 0) return NOTHING;
    return choose(
      (await readCategories(reader)).list.map(({ name }) => name),
      value,
    );
  },
  async file(reader, value) {
    if (codeShards(reader).length === 0) return NOTHING;
    const documents = await listDocumentNames(reader);
    return choose(
      documents.filter(({ path }) => codeLanguageOf(path) !== undefined).map(({ id }) => id),
      value,
    );
  },
  async document(reader, value) {
    return choose(
      (await listDocumentNames(reader)).map(({ id }) => id),
      value,
    );
  },
  async section(reader, value) {
    const at = value.indexOf("#");
    if (at < 0) return COMPLETE.document(reader, value);
    const [outline] = await resolveOutlines(reader, [value.slice(0, at)]);
    if (outline === undefined) return NOTHING;
    const ids = outline.sections.slice(1).map(({ nodeId }) => nodeId);
    return choose(ids, outline.document.id + value.slice(at), true);
  },
};

function kindOf(ref: CompleteRequest["params"]["ref"], argument: string): Kind | undefined {
  if (ref.type === "ref/prompt") return completedBy(ref.name, argument);
  const template = RESOURCE_TEMPLATES.find(({ uriTemplate }) => uriTemplate === ref.uri);
  if (template === undefined) {
    const known = RESOURCE_TEMPLATES.map(({ uriTemplate }) => uriTemplate).join(", ");
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no template ${quoteName(cleanText(ref.uri).text)}. The templates are ${known}.`,
    );
  }
  if (argument !== "id") return undefined;
  return ref.uri.startsWith(SECTIONS_URI) ? "section" : "document";
}

async function completeSymbol(reader: IndexReader, value: string): Promise<Completion> {
  if (value.trim() === "" || codeShards(reader).length === 0) return NOTHING;
  const { total, isComplete, completions } = await completeSymbols(reader, { prefix: value, limit: MAX_VALUES });
  const values = [...new Set(completions.map(({ label }) => cleanText(label).text))];
  return { completion: { values, total, hasMore: !isComplete || total > completions.length } };
}

/** The names that begin so, then those whose path does, then those that hold it; in order of the names, or as given. */
function choose(names: readonly string[], value: string, isOrdered = false): Completion {
  const typed = foldCase(value.trim());
  const rankOf = (name: string): number => {
    const folded = foldCase(name);
    if (folded.startsWith(typed)) return 0;
    if (folded.slice(folded.indexOf(":") + 1).startsWith(typed)) return 1;
    return folded.includes(typed) ? 2 : 3;
  };
  const found = names
    .map((name) => ({ name, rank: rankOf(name) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank || (isOrdered ? 0 : compareNames(a.name, b.name)));
  const values = found.slice(0, MAX_VALUES).map(({ name }) => cleanText(name).text);
  return { completion: { values, total: found.length, hasMore: found.length > values.length } };
}
