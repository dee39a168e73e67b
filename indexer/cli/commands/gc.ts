/**
 * Command `gc`: files of generations that are kept no longer are removed.
 */

import { formatBytes, toPrintable } from "../../base/printable.ts";
import { UsageError } from "../../base/usage-error.ts";
import { collectGarbage, LEAST_GRACE_MS } from "../../publish/collect.ts";
import { type Command, type CommandInput, EXIT } from "../command.ts";
import { inStore, STORE_DETAILS, storeOptions } from "./store-option.ts";

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SHOWN_FOREIGN = 20;

/** The command. */
export const gcCommand: Command = {
  name: "gc",
  summary: "Remove the files of generations that are kept no longer.",
  positionals: [],
  options: {
    ...storeOptions,
    grace: {
      kind: "text",
      placeholder: "1h",
      description: "How old a file must be that is removed: 90m, 24h, 7d. At least, and by default, 1h.",
    },
    "dry-run": { kind: "flag", description: "Say what would be removed, and remove nothing." },
    json: { kind: "flag", description: "Print one JSON object." },
  },
  details: `${STORE_DETAILS} What is no index file is named and stays.`,
  async run(input, terminal) {
    const graceMs = readGrace(input);
    const dryRun = input.has("dry-run");
    const summary = await inStore(input, (store, isNamed) => collectGarbage(store, { graceMs, dryRun, isNamed }));
    if (input.has("json")) {
      terminal.print(JSON.stringify(summary));
      return EXIT.done;
    }
    const { removed, removedBytes, isRemoved, needed, young, foreign } = summary;
    const done = `${removed} files, ${formatBytes(removedBytes)} ${dryRun ? "would be removed" : "removed"}`;
    if (isRemoved) {
      const wait =
        young > 0 ? `, ${young} have to wait until readers are done: run gc again after the grace period` : "";
      terminal.print(`${done}; nothing is published there any more${wait}`);
    } else terminal.print(`${done}; ${needed} files are needed, ${young} are too young to be removed`);
    if (foreign.length > 0) {
      terminal.warn(`${foreign.length} objects are no index files and stay:`);
      for (const name of foreign.slice(0, SHOWN_FOREIGN)) terminal.warn(toPrintable(`  ${name}`));
      if (foreign.length > SHOWN_FOREIGN)
        terminal.warn(`  … and ${foreign.length - SHOWN_FOREIGN} more; --json lists them`);
    }
    return EXIT.done;
  },
};

function readGrace(input: CommandInput): number {
  const text = input.text("grace");
  if (text === undefined) return LEAST_GRACE_MS;
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit as keyof typeof UNITS_MS] ?? Number.NaN);
  if (ms >= LEAST_GRACE_MS) return ms;
  throw new UsageError(`--grace takes minutes, hours or days (90m, 24h, 7d), at least 1h; got ${JSON.stringify(text)}`);
}
