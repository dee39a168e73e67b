/**
 * The little of SQLite that a session needs, and how the two SQLites meet it: that of a Durable Object, and Node's.
 *
 * Types of either platform are named by their shape, so that this room compiles without Node's and Node without Workers'.
 */

/** A value of a cell. */
export type SqlValue = string | number | null;

/** A row by the names of its columns. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** A database with the tables of one session. */
export interface SqlDatabase {
  /** Runs one statement; its rows, none where it changes something. */
  readonly run: (statement: string, ...values: readonly SqlValue[]) => readonly SqlRow[];
  /** Runs all of it or, where it throws, none. */
  readonly transaction: <T>(run: () => T) => T;
}

/** What of a Durable Object's storage is used. */
interface ObjectStorage {
  readonly sql: { exec(statement: string, ...values: SqlValue[]): { toArray(): SqlRow[] } };
  transactionSync<T>(run: () => T): T;
}

/** What of Node's `DatabaseSync` is used. */
export interface NodeDatabase {
  exec(statement: string): void;
  prepare(statement: string): { all(...values: SqlValue[]): unknown[] };
}

/** The storage of a Durable Object. */
export function fromObjectStorage(storage: ObjectStorage): SqlDatabase {
  return {
    run: (statement, ...values) => storage.sql.exec(statement, ...values).toArray(),
    transaction: (run) => storage.transactionSync(run),
  };
}

/** A database of `node:sqlite`. */
export function fromNodeDatabase(database: NodeDatabase): SqlDatabase {
  return {
    run: (statement, ...values) => database.prepare(statement).all(...values) as SqlRow[],
    transaction: (run) => {
      database.exec("BEGIN");
      try {
        const value = run();
        database.exec("COMMIT");
        return value;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
  };
}
