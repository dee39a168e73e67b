/**
 * Command `rollback`: a generation that was published before becomes the current one again.
 */

import { toPrintable } from "../../base/printable.ts";
import { rollBack } from "../../publish/published.ts";
import { type Command, EXIT } from "../command.ts";
import { inStore, STORE_DETAILS, storeOptions } from "./store-option.ts";

/** The command. */
export const rollbackCommand: Command = {
  name: "rollback",
  summary: "Make a generation that was published before the current one again.",
  positionals: [],
  options: {
    to: {
      kind: "text",
      placeholder: "GENERATION",
      description: "Generation to go back to, or how its id begins. Default: the one that was current before.",
    },
    ...storeOptions,
    "dry-run": { kind: "flag", description: "Say what would be current, and write nothing." },
    json: { kind: "flag", description: "Print one JSON object." },
  },
  details: `${STORE_DETAILS} The generation that was current stays, so a second rollback takes the first one back.`,
  async run(input, terminal) {
    const to = input.text("to");
    const dryRun = input.has("dry-run");
    const summary = await inStore(input, (store) => rollBack(store, { dryRun, ...(to !== undefined && { to }) }));
    if (input.has("json")) {
      terminal.print(JSON.stringify(summary));
      return EXIT.done;
    }
    const { generation, replaced, commit, builtAt, kept } = summary;
    const of = `commit ${commit}${builtAt === "" ? "" : ` of ${builtAt}`}`;
    terminal.print(
      toPrintable(`${generation} (${of}) ${dryRun ? "would be current" : "is current"} in place of ${replaced}`),
    );
    terminal.print(`  kept: ${kept.join(", ")}`);
    return EXIT.done;
  },
};
