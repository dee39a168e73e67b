/**
 * One session as a Durable Object with a SQLite database of its own, and all of them as the Worker sees them.
 */
import { DurableObject } from "cloudflare:workers";
import {
  type CallRecord,
  readState,
  type SessionOpening,
  type Sessions,
  type StatePart,
  type StoredState,
} from "../../surface/session/session-state.ts";
import { endOf, fromObjectStorage, openSession, readSession, recordCall, type SqlDatabase } from "./session-store.ts";

/** One session. Its name is the id in its handle. */
export class TreelineSession extends DurableObject {
  readonly #database: SqlDatabase;
  readonly #storage: DurableObjectStorage;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#database = fromObjectStorage(state.storage);
  }

  /** Makes the session, and arms the alarm that ends it. */
  async open(opening: SessionOpening): Promise<void> {
    openSession(this.#database, opening, Date.now());
    await this.#armAlarm();
  }

  /** The session as it stands; null where there is none. */
  read(parts: readonly StatePart[]): StoredState | null {
    return readSession(this.#database, parts, Date.now()) ?? null;
  }

  record(call: CallRecord): void {
    recordCall(this.#database, call, Date.now());
  }

  /** Deletes everything when the session's time is over; looks again then, where it was used meanwhile. */
  override async alarm(): Promise<void> {
    const end = endOf(this.#database);
    if (end === undefined || end <= Date.now()) await this.#storage.deleteAll();
    else await this.#armAlarm();
  }

  /** One write for the life of an alarm, not one for each call. */
  async #armAlarm(): Promise<void> {
    const end = endOf(this.#database);
    if (end !== undefined) await this.#storage.setAlarm(end);
  }
}

/** The sessions of a deployment, an object each. */
export function createDurableSessions(objects: DurableObjectNamespace<TreelineSession>): Sessions {
  return {
    open: async (id, opening) => {
      await objects.getByName(id).open(opening);
    },
    read: async (id, parts) => {
      const stored = await objects.getByName(id).read([...parts]);
      return stored === null ? undefined : readState(stored);
    },
    record: async (id, call) => {
      await objects.getByName(id).record(call);
    },
  };
}
