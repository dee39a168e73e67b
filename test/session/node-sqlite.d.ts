/** What tests of this room use of `node:sqlite`; they compile without the other types of Node. */
declare module "node:sqlite" {
  export class DatabaseSync {
    constructor(path: string);
    exec(statement: string): void;
    prepare(statement: string): { all(...values: (string | number | null)[]): unknown[] };
    close(): void;
  }
}
