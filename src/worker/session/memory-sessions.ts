/**
 * Sessions of one process over Node's own SQLite, which is loaded when the first one is opened: of the versions of Node
 * that can run this, not all have it, and some warn about it (on standard error).
 */
import { InputError } from "../../core/errors.ts";
import type { Sessions } from "../../surface/session/sessions.ts";
import { createLocalSessions } from "./local-sessions.ts";
import type { NodeDatabase } from "./sql-database.ts";

/** What of `node:sqlite` is used. */
export interface SqliteModule {
  readonly DatabaseSync: new (path: string) => NodeDatabase & { close(): void };
}

/**
 * Sessions in memory.
 *
 * @param load Gives `node:sqlite`.
 */
export function createMemorySessions(load: () => Promise<SqliteModule>): Sessions {
  let loading: Promise<Sessions> | undefined;
  const loaded = (): Promise<Sessions> => {
    loading ??= load().then(
      ({ DatabaseSync }) => createLocalSessions(() => new DatabaseSync(":memory:")),
      () => {
        throw new InputError(
          "This server keeps no sessions: its Node.js has no node:sqlite, which comes with 22.13. Call without session.",
        );
      },
    );
    return loading;
  };
  return {
    open: async (id, opening) => (await loaded()).open(id, opening),
    read: async (id, parts) => (await loaded()).read(id, parts),
    record: async (id, call) => (await loaded()).record(id, call),
  };
}
