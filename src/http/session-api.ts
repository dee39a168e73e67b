/**
 * Route `POST /session`: opens a session. What a session holds is told by the tool `session_state`.
 */
import type { CostCounters } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import type { JsonObject } from "../surface/render/answer.ts";
import { type HttpServices, readIndex, respondJson } from "./respond.ts";

export const SESSION_PATH = "/session";
/** A scope is a handful of names. */
const MAX_BODY_BYTES = 65_536;
const CREATED = 201;

/** Opens a session out of a body; throws `InputError` for one that cannot be. */
type OpenSession = (body: string, reader: IndexReader, counters: CostCounters) => Promise<JsonObject>;

/**
 * The answer to one POST: 201 with the session, or a problem as all routes say it.
 *
 * @param open Absent where no sessions are kept.
 */
export async function answerSession(
  request: Request,
  services: HttpServices,
  open: OpenSession | undefined,
): Promise<Response> {
  if (open === undefined) return respondJson({ error: "This server keeps no sessions.", nearest: [] }, 404);
  const body = await request.arrayBuffer();
  if (body.byteLength > MAX_BODY_BYTES) {
    return respondJson({ error: `The body is larger than ${MAX_BODY_BYTES} bytes.`, nearest: [] }, 413);
  }
  const text = new TextDecoder().decode(body);
  return readIndex(services, SESSION_PATH, async (reader, counters) =>
    respondJson(await open(text, reader, counters), CREATED),
  );
}
