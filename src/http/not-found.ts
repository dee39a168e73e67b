/**
 * Answers to requests that no route takes: what there is instead, of the corpus that was meant. Who follows a hint must not end
 * up in the docs of another version without noticing.
 */
import { getPath } from "hono/utils/url";
import { type Caller, mayKnow } from "../surface/access/caller.ts";
import { RESERVED_NAMES } from "../surface/access/corpus-name.ts";
import type { CorpusList } from "../surface/corpus-list.ts";
import { corpusAddress } from "./addresses.ts";
import { CORPORA_PATH } from "./corpora.ts";
import { nearestCorpora } from "./enter-corpus.ts";
import { respondJson } from "./respond.ts";

/** What is asked, and by whom. */
export interface Missed {
  readonly request: Request;
  /** Name of the corpus in the address; `""` for none. */
  readonly corpus: string;
  readonly caller: Caller;
  readonly now: number;
  /** Takes what went wrong with a look at a pointer. */
  readonly note: (error: unknown) => void;
}

/** What of the list of corpora is used here. */
type Known = Pick<CorpusList, "known" | "knows">;

/**
 * The 404 of an address that no route has.
 *
 * @param shown Addresses that are told, as they stand at the root.
 */
export async function answerNotFound(list: Known, shown: readonly string[], missed: Missed): Promise<Response> {
  const path = getPath(missed.request);
  const error = `There is nothing at ${hideHandle(path)}.`;
  return respondJson({ error, nearest: await findNearest(list, shown, missed, path) }, 404);
}

/** The answer to a method that changes something: there is nothing to change. */
export function respondReadOnly(method: string): Response {
  const refusal = respondJson({ error: `${method} is not for this address; it answers GET.`, nearest: [] }, 405);
  refusal.headers.set("Allow", "GET, HEAD");
  return refusal;
}

async function findNearest(
  list: Known,
  shown: readonly string[],
  { corpus, caller, now, note }: Missed,
  path: string,
): Promise<readonly string[]> {
  const [segment = "", behind = ""] = path.split("/").filter((one) => one !== "");
  // Where nobody listed the bucket yet, `/v2/search/` looks like an address of a corpus, and `/nothing` does not.
  const isMeant = async (): Promise<boolean> =>
    (await list.knows(corpus, now, note)) ?? RESERVED_NAMES.has(behind.toLowerCase());
  if (corpus !== "" && mayKnow(caller, corpus) && (await isMeant())) {
    return shown.filter((one) => one !== CORPORA_PATH).map((one) => `${corpusAddress("", corpus)}${one}`);
  }
  // `/V2/mcp` has no name that a corpus may have, and means one all the same.
  const nearest = RESERVED_NAMES.has(segment) ? [] : nearestCorpora(list.known, caller, segment);
  return [...nearest, ...shown];
}

/** An address without the handle that it may hold, wherever it stands: who shares an error shares no session. */
function hideHandle(path: string): string {
  return path.replace(/((?:\/|%2f)+s(?:\/|%2f)+)(?:(?!\/|%2f).)+/gi, "$1…");
}
