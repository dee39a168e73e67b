/**
 * Where sessions are kept, as calls see it: by id, behind handles that were verified.
 */
import type { CallRecord, SessionOpening, SessionState, StatePart } from "./session-state.ts";

/** Sessions by their ids. */
export interface Sessions {
  /** Makes a session of a new id. */
  readonly open: (id: string, opening: SessionOpening) => Promise<void>;
  /** The session as it stands; undefined where there is none, or none any more. */
  readonly read: (id: string, parts: readonly StatePart[]) => Promise<SessionState | undefined>;
  /** Adds what a call showed and cost. Nothing happens where the session ended meanwhile. */
  readonly record: (id: string, call: CallRecord) => Promise<void>;
}
