/**
 * Command `publish`: an index in a folder becomes the one that a deployment answers from.
 */
import { resolve } from "node:path";
import { formatBytes, toPrintable } from "../../base/printable.ts";
import { UsageError } from "../../base/usage-error.ts";
import { makeStoreFolder } from "../../publish/folder-store.ts";
import { type LocalIndex, type PublishSummary, publishIndex, readLocalIndex } from "../../publish/publish.ts";
import { KEEP_WORDS, KEPT_GENERATIONS, readKeep } from "../../publish/published.ts";
import { type Command, type CommandInput, EXIT, type Terminal } from "../command.ts";
import { readPageFiles } from "../pages/read-page-files.ts";
import { copyPageFiles, listPageFiles, writePagesFor } from "../pages/write-page-files.ts";
import { warnOfLostHits } from "./build.ts";
import { indexFolderOption, readIndexFolder } from "./index-option.ts";
import { showTransfer } from "./show-transfer.ts";
import { inStore, openPlace, readStoreFolder, STORE_DETAILS, storeOptions, warnOfTooMany } from "./store-option.ts";

/** The command. */
export const publishCommand: Command = {
  name: "publish",
  summary: "Upload an index to a bucket or a folder, and make it the current one.",
  positionals: [],
  options: {
    index: indexFolderOption("Folder that `treeline build` wrote"),
    ...storeOptions,
    keep: {
      kind: "text",
      placeholder: "N",
      description: `Generations to keep beside the new one, for \`rollback\`. Default ${KEPT_GENERATIONS}.`,
    },
    browser: {
      kind: "flag",
      description: "Write what pages load into --folder, too, also where the build did not.",
    },
    "dry-run": { kind: "flag", description: "Say what would be uploaded, and write nothing." },
    json: { kind: "flag", description: "Print the summary as one JSON object." },
    quiet: { kind: "flag", description: "Print errors only." },
  },
  details: `${STORE_DETAILS} What is there already is not uploaded. Readers see the old index or the new one, never a mix.`,
  async run(input, terminal) {
    const index = readIndexFolder(input);
    const keep = readKeepOption(input);
    if (input.has("browser") && input.text("folder") === undefined) {
      throw new UsageError("--browser needs --folder; a Worker serves what pages load by itself");
    }
    const dryRun = input.has("dry-run");
    const isQuiet = input.has("quiet");
    const summary = await inStore(input, async (store) => {
      const local = await readLocalIndex(index);
      const folder = readStoreFolder(input);
      if (folder !== undefined) await prepareFolder(index, local, folder, dryRun, terminal);
      return publishIndex(local, store, {
        ...(keep !== undefined && { keep }),
        dryRun,
        onProgress: showTransfer(terminal, isQuiet),
        onNotice: (text) => {
          if (!isQuiet) terminal.warn(toPrintable(text));
        },
      });
    });
    const corpus = input.text("corpus");
    // Once for each corpus is enough, and it is a request more.
    if (corpus !== undefined && summary.replaced === "" && !isQuiet) {
      const tooMany = await warnOfTooMany(openPlace(input), corpus);
      if (tooMany !== undefined) terminal.warn(tooMany);
    }
    const pages = await publishPages(index, input, dryRun);
    if (input.has("json")) terminal.print(JSON.stringify(summary));
    else if (!isQuiet) for (const line of [...describePublish(summary), ...pages]) terminal.print(line);
    await warnOfLostHits(index, input, terminal);
    return EXIT.done;
  },
};

/** A folder is there to be served: whoever reads its files sees all that is in them. */
async function prepareFolder(
  index: string,
  { closedGroups }: LocalIndex,
  folder: string,
  dryRun: boolean,
  terminal: Terminal,
): Promise<void> {
  if (resolve(index) === folder) throw new UsageError("--folder is the folder of the index itself");
  if (closedGroups.length > 0) {
    terminal.warn(
      `Warning: a folder that is served shows everybody all files, those of ${closedGroups.join(", ")} included.`,
    );
  }
  if (!dryRun) await makeStoreFolder(folder);
}

/**
 * What pages load lies beside the index that they search, so a folder gets it too; a Worker serves its own. The result is what
 * was done, in words.
 */
async function publishPages(index: string, input: CommandInput, dryRun: boolean): Promise<readonly string[]> {
  const folder = readStoreFolder(input);
  if (folder === undefined) return [];
  const isAsked = input.has("browser");
  if (dryRun) {
    const { length } = isAsked ? await readPageFiles() : await listPageFiles(index);
    return length === 0 ? [] : [`  ${length} files for pages to write`];
  }
  const written = isAsked ? await writePagesFor(folder) : await copyPageFiles(index, folder);
  return written === 0 ? [] : [`  wrote ${written} files for pages`];
}

function readKeepOption(input: CommandInput): number | undefined {
  const text = input.text("keep");
  if (text === undefined) return undefined;
  const keep = readKeep(text);
  if (keep === undefined) throw new UsageError(`--keep must be ${KEEP_WORDS}, got ${JSON.stringify(text)}`);
  return keep;
}

/** What a publish did, in words. */
export function describePublish(summary: PublishSummary): string[] {
  const { generation, replaced, switched, uploadedFiles, uploadedBytes, reusedFiles, reusedBytes, kept } = summary;
  const files = `${uploadedFiles} files, ${formatBytes(uploadedBytes)}`;
  const there = `${reusedFiles} files, ${formatBytes(reusedBytes)} there already`;
  const cost = `${summary.requests} requests, ${summary.seconds.toFixed(1)} s`;
  if (summary.dryRun) {
    const pointer = switched ? `${generation} would replace ${replaced || "nothing"}` : `${generation} is current`;
    return [`${pointer}: ${files} to upload, ${there} (${cost})`];
  }
  const lines = [
    switched
      ? `published ${generation}${replaced === "" ? "" : `, which replaces ${replaced}`}`
      : `${generation} is current already`,
    `  uploaded ${files}; ${there} (${cost})`,
  ];
  if (kept.length > 0) lines.push(`  kept for \`treeline rollback\`: ${kept.join(", ")}`);
  return lines;
}
