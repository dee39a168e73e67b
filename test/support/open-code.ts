/** Readers over code tables that were written by the real functions, one public shard, in memory. */
import { codeTables } from "../../indexer/index/code-tables.ts";
import type { GroupCode } from "../../indexer/link/code/link-code.ts";
import { type OpenTables, openTables } from "./open-tables.ts";

/** Write the code tables of a group and open them. */
export function openCode(code: GroupCode): Promise<OpenTables> {
  return openTables(Object.fromEntries(codeTables(code).map(([name, entries]) => [name, [...entries()]])));
}
