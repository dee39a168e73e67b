/**
 * Route `/corpora`: which corpora this deployment has, for switchers of versions. It names those alone of which the caller
 * may know.
 */

import { crc32 } from "../core/bytes/checksum.ts";
import { type Caller, mayKnow } from "../surface/access/caller.ts";
import { CREDENTIAL_HEADERS } from "../surface/access/credential.ts";
import type { CorpusList, PublishedCorpus } from "../surface/corpus-list.ts";
import { SERVER_VERSION } from "../surface/render/numbers.ts";
import { toProblem } from "../surface/render/problem.ts";
import { corpusAddress } from "./addresses.ts";
import { hasTag } from "./if-none-match.ts";
import { JSON_TYPE, MARKDOWN_TYPE, prefers } from "./negotiate.ts";
import { FORMAT_PARAMETER, type Parameters } from "./parameters.ts";
import { type HttpServices, respondJson } from "./respond.ts";

/** Address of it. */
export const CORPORA_PATH = "/corpora";
/** A corpus that is published is in the list after a minute, as the listing itself is that old at most. */
const MAX_AGE_SECONDS = 60;

/** What is answered where the bucket cannot be listed. */
export const NOT_LISTED = "The corpora of this server cannot be listed right now.";

/** What listing needs of the shell around it. */
export interface CorporaServices extends Pick<HttpServices, "isShared" | "now" | "report"> {
  readonly list: CorpusList;
  readonly caller: Caller;
}

/**
 * Corpora that have an index and of which a caller may know, the one at the root first. Undefined where the bucket does not
 * tell, which is reported.
 *
 * @param most Names whose pointers are looked at: each look is a read, once a minute.
 */
export async function listPublished(
  services: CorporaServices,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly PublishedCorpus[] | undefined> {
  const { list, caller, now, report } = services;
  const note = (error: unknown): void => report(toProblem(error), CORPORA_PATH);
  try {
    const names = ["", ...(await list.names(now, note))];
    return await list.published(names.filter((name) => mayKnow(caller, name)).slice(0, most), now, note);
  } catch (error) {
    note(error);
    return undefined;
  }
}

/** Parameters of `/corpora`. */
export const CORPORA_PARAMETERS = {
  format: FORMAT_PARAMETER,
} as const satisfies Parameters;

/** The answer to `GET /corpora`. */
export async function answerCorpora(request: Request, services: CorporaServices): Promise<Response> {
  const { origin } = new URL(request.url);
  const published = await listPublished(services);
  if (published === undefined) return respondJson({ error: NOT_LISTED, nearest: [] }, 503);
  const corpora = published.map(({ name, publishedAt }) => {
    const url = corpusAddress(origin, name);
    return { name, url, mcp: `${url}/mcp`, publishedAt };
  });
  const isMarkdown = prefers(request, [JSON_TYPE, MARKDOWN_TYPE]) === MARKDOWN_TYPE;
  const etag = `W/"${SERVER_VERSION}-${crc32(new TextEncoder().encode(JSON.stringify(corpora))).toString(16)}-${isMarkdown ? "markdown" : "json"}"`;
  const headers = {
    ETag: etag,
    "Cache-Control": `${services.isShared ? "public" : "private"}, max-age=${MAX_AGE_SECONDS}`,
    Vary: `${CREDENTIAL_HEADERS}, Accept`,
  };
  if (hasTag(request, etag)) return new Response(null, { status: 304, headers });
  const response = isMarkdown
    ? new Response(
        corpora.map(({ name, url, mcp }) => `- ${name === "" ? "(root)" : name}: ${url}, MCP ${mcp}\n`).join(""),
        {
          headers: { "Content-Type": `${MARKDOWN_TYPE}; charset=utf-8` },
        },
      )
    : respondJson({ corpora });
  for (const [header, value] of Object.entries(headers)) response.headers.set(header, value);
  return response;
}
