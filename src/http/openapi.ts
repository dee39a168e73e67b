/**
 * Route `/openapi.json`: how this interface is called, for generators of clients and for agents. It says nothing of what is indexed, so it is
 * for everybody.
 *
 * The document is a static asset, a copy of `schemas/openapi.json`, made of the tables by which routes read their parameters and of the schemas by which tests check answers
 * (`api/`); what differs from deployment to deployment is put in here.
 */
import { crc32 } from "../core/bytes/checksum.ts";
import { SERVER_VERSION } from "../surface/render/numbers.ts";
import { CORPORA_PATH } from "./addresses.ts";
import { JSON_TYPE } from "./negotiate.ts";
import { type AssetBindings, readAsset } from "./page-files.ts";
import { respondTagged } from "./respond.ts";

/** Address of it. */
export const OPENAPI_PATH = "/openapi.json";
/** As documents for discovery. */
const CACHED = "public, max-age=3600";

/**
 * The answer to `GET /openapi.json`.
 *
 * @param base Address of the corpus.
 * @param needsKey Whether callers need a key.
 */
export async function answerOpenApi(
  request: Request,
  env: AssetBindings,
  base: string,
  needsKey: boolean,
): Promise<Response> {
  const asset = await readAsset(env, OPENAPI_PATH);
  const document = JSON.parse(new TextDecoder().decode(asset.bytes)) as {
    readonly paths: Readonly<Record<string, unknown>>;
    readonly security: readonly unknown[];
  };
  const { [CORPORA_PATH]: _, ...ofCorpus } = document.paths;
  const text = JSON.stringify({
    ...document,
    // Corpora are listed at the root alone.
    paths: new URL(base).pathname === "/" ? document.paths : ofCorpus,
    servers: [{ url: base }],
    security: needsKey ? [{ key: [] }] : document.security,
  });
  const bytes = new TextEncoder().encode(text);
  const etag = `"${SERVER_VERSION}-${crc32(bytes).toString(16)}"`;
  return respondTagged(request, bytes, etag, `${JSON_TYPE}; charset=utf-8`, { "Cache-Control": CACHED });
}
