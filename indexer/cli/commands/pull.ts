/**
 * Command `pull`: the index that is published somewhere, as a folder.
 */
import { resolve } from "node:path";
import { formatBytes, toPrintable } from "../../base/printable.ts";
import { UsageError } from "../../base/usage-error.ts";
import { NothingPublished } from "../../publish/published.ts";
import { type PullSummary, pullIndex } from "../../publish/pull.ts";
import { type Command, EXIT } from "../command.ts";
import { indexFolderOption, readIndexFolder } from "./index-option.ts";
import { showTransfer } from "./show-transfer.ts";
import { inStore, readStoreFolder, STORE_DETAILS, storeOptions } from "./store-option.ts";

/** The command. */
export const pullCommand: Command = {
  name: "pull",
  summary: "Bring the index that is published into a folder: what is missing or damaged there.",
  positionals: [],
  options: {
    index: indexFolderOption("Folder to write to"),
    ...storeOptions,
    json: { kind: "flag", description: "Print the summary as one JSON object." },
    quiet: { kind: "flag", description: "Print errors only." },
  },
  details: `${STORE_DETAILS} The folder is one to build on, to search, to check and to publish. Exit code 1 where nothing is published.`,
  async run(input, terminal) {
    const index = readIndexFolder(input);
    if (readStoreFolder(input) === resolve(index)) throw new UsageError("--folder is the folder of the index itself");
    const isQuiet = input.has("quiet");
    const summary = await inStore(input, async (store) => {
      const pulled = await pullIndex(store, resolve(index), {
        onProgress: showTransfer(terminal, isQuiet),
        onWait: () => {
          if (!isQuiet) terminal.warn("waiting for a build that writes into the same folder");
        },
      });
      if (pulled === undefined) throw new NothingPublished(store.place, "so nothing was pulled");
      return pulled;
    });
    if (input.has("json")) terminal.print(JSON.stringify(summary));
    else if (!isQuiet) for (const line of describe(summary)) terminal.print(line);
    return EXIT.done;
  },
};

function describe(summary: PullSummary): string[] {
  const { generation, commit, builtAt, replaced, switched } = summary;
  const of = toPrintable(`commit ${commit}${builtAt === "" ? "" : ` of ${builtAt}`}`);
  const before = replaced === "" ? "" : `, which replaces ${replaced}`;
  const files = `${summary.downloadedFiles} files, ${formatBytes(summary.downloadedBytes)}`;
  const there = `${summary.reusedFiles} files, ${formatBytes(summary.reusedBytes)} there already`;
  return [
    switched ? `pulled ${generation} (${of})${before}` : `${generation} (${of}) is there already`,
    `  downloaded ${files}; ${there} (${summary.requests} requests, ${summary.seconds.toFixed(1)} s)`,
  ];
}
