/**
 * Opens sessions: a handle, what the session holds on to, and the addresses that name it.
 */

import type { CostCounters } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import type { SigningKeys } from "../surface/access/signing-keys.ts";
import { makeHandle } from "../surface/session/handle.ts";
import {
  SESSION_LIFE_MS,
  type SessionPin,
  type SessionSettings,
  type Sessions,
} from "../surface/session/session-state.ts";
import { groupsOf } from "./session-call.ts";
import type { OpenedSession } from "./tool.ts";

/** What opening needs of the shell around it, as `ToolServices` has it. */
interface Services extends Pinning {
  readonly sessions: Sessions;
  readonly signingKeys: SigningKeys;
  readonly now: number;
  readonly origin?: string;
}

/** Gives the current generation, where generations can be opened again. */
interface Pinning {
  readonly pinCurrent?: (counters: CostCounters) => Promise<SessionPin | undefined>;
}

/** A new session with these settings, for who asks with this reader. */
export async function openSession(
  services: Services,
  reader: IndexReader,
  settings: SessionSettings,
  counters: CostCounters,
): Promise<OpenedSession> {
  const { handle, id } = await makeHandle(await services.signingKeys("session"));
  const pin = await pinOf(services, reader, counters);
  await services.sessions.open(id, { settings, groups: groupsOf(reader), pin });
  const { origin, now } = services;
  const urls = origin === undefined ? [] : [`${origin}/mcp?session=${handle}`, `${origin}/s/${handle}/mcp`];
  return { handle, expiresAt: now + SESSION_LIFE_MS, urls };
}

/** What a session holds on to that begins, or goes on, with this reader. */
export async function pinOf({ pinCurrent }: Pinning, reader: IndexReader, counters: CostCounters): Promise<SessionPin> {
  const { id, builtAt } = reader.index.generation;
  const current = await pinCurrent?.(counters);
  // A generation that was published since the reader was made is another one.
  return current?.id === id ? current : { id, root: "", rootBytes: 0, log: "", builtAt };
}
