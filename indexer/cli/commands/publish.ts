/**
 * Commands for a bucket or a folder where indexes are published: `publish`, `pull`, `rollback`, `gc` and `corpora`.
 */
import { join, resolve } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import { nearestNames } from "../../../src/core/text/nearest.ts";
import { checkCorpusName } from "../../../src/surface/access/corpus-name.ts";
import { formatBytes, toPrintable, UsageError } from "../../base/diagnostic.ts";
import {
  type CollectSummary,
  collectGarbage,
  LEAST_GRACE_MS,
  listCorpora,
  listNames,
  removeCorpus,
  type StoredCorpus,
} from "../../publish/collect.ts";
import { makeStoreFolder, openFolder } from "../../publish/folder-store.ts";
import type { ObjectStore, TransferProgress } from "../../publish/object-store.ts";
import { type LocalIndex, type PublishSummary, publishIndex, readLocalIndex } from "../../publish/publish.ts";
import { KEEP_WORDS, KEPT_GENERATIONS, NothingPublished, readKeep, rollBack } from "../../publish/published.ts";
import { type PullSummary, pullIndex } from "../../publish/pull.ts";
import { openBucket, readCredentials } from "../../publish/s3.ts";
import { copyPageFiles, listPageFiles, readPageFiles, warnOfLostHits, writePagesFor } from "../pages/pages.ts";
import {
  type Command,
  type CommandInput,
  EXIT,
  indexFolderOption,
  option,
  printResult,
  readIndexFolder,
  showProgress,
  type Terminal,
  warnSome,
} from "../run-cli.ts";

const SHOWN_CORPORA = 20;

/** `--bucket URL` or `--folder DIR`. */
const placeOptions = {
  bucket: option.text("URL", "Bucket of a deployment: its S3 endpoint with the bucket's name behind it."),
  folder: option.text("DIR", "Folder that a web host serves, in place of a bucket."),
};

/** A place, and the corpus there. */
const storeOptions = {
  ...placeOptions,
  corpus: option.text(
    "NAME",
    "Corpus there, one of several, such as v2: served below /NAME. Default: that of the root.",
  ),
};

/** What help says of the credentials of a bucket. */
const STORE_DETAILS = "A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.";

/** The place that was named. @throws {UsageError} @throws {InputError} for an address that is none. */
function openPlace(input: CommandInput): ObjectStore {
  const bucket = input.text("bucket");
  const folder = input.text("folder");
  if ((bucket === undefined) === (folder === undefined)) {
    throw new UsageError("say where the index is published: --bucket URL or --folder DIR");
  }
  return bucket === undefined ? openFolder(resolve(folder as string)) : openBucket(bucket, readCredentials());
}

/**
 * Do work in the store of the corpus that was named. Where nothing is published there, the error says what else is.
 *
 * @throws {UsageError} @throws {InputError} for a name or an address that is none.
 */
async function inStore<T>(input: CommandInput, work: (store: ObjectStore, isNamed: boolean) => Promise<T>): Promise<T> {
  const corpus = input.text("corpus");
  if (corpus !== undefined) checkCorpusName(corpus);
  const place = openPlace(input);
  return nameOthers(place, corpus, () =>
    work(corpus === undefined ? place : place.within(corpus), corpus !== undefined),
  );
}

/** Do work on a corpus; where nothing is published there, the error says what else is at the place. */
async function nameOthers<T>(place: ObjectStore, corpus: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NothingPublished)) throw error;
    const names = (await listNames(place)).filter((name) => name !== corpus);
    if (names.length === 0) throw error;
    throw new InputError(`${error.message}; corpora there: ${listSome(names)}`, nearestNames(corpus ?? "", names));
  }
}

function listSome(names: readonly string[]): string {
  const more = names.length > SHOWN_CORPORA ? ` and ${names.length - SHOWN_CORPORA} more` : "";
  return `${names.slice(0, SHOWN_CORPORA).join(", ")}${more}`;
}

/** The folder that was named, where the corpus lies in it; undefined where a bucket was. */
function readStoreFolder(input: CommandInput): string | undefined {
  const folder = input.text("folder");
  return folder === undefined ? undefined : resolve(join(folder, input.text("corpus") ?? ""));
}

const publishCommand: Command = {
  name: "publish",
  summary: "Upload an index to a bucket or a folder, and make it the current one.",
  positionals: [],
  options: {
    index: indexFolderOption("Folder that `treeline build` wrote"),
    ...storeOptions,
    keep: option.text("N", `Generations to keep beside the new one, for \`rollback\`. Default ${KEPT_GENERATIONS}.`),
    browser: option.flag("Write what pages load into --folder, too, also where the build did not."),
    "dry-run": option.flag("Say what would be uploaded, and write nothing."),
    json: option.flag("Print the summary as one JSON object."),
    quiet: option.flag("Print errors only."),
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
        onProgress: showTransfer(input, terminal),
        onNotice: (text) => {
          if (!isQuiet) terminal.warn(toPrintable(text));
        },
      });
    });
    const pages = await publishPages(index, input, dryRun);
    printResult(input, terminal, summary, () => [...describePublish(summary), ...pages]);
    if (input.has("browser")) await warnOfLostHits(index, input, terminal);
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
const pullCommand: Command = {
  name: "pull",
  summary: "Bring the index that is published into a folder: what is missing or damaged there.",
  positionals: [],
  options: {
    index: indexFolderOption("Folder to write to"),
    ...storeOptions,
    json: option.flag("Print the summary as one JSON object."),
    quiet: option.flag("Print errors only."),
  },
  details: `${STORE_DETAILS} The folder is one to build on, to search, to check and to publish. Exit code 1 where nothing is published.`,
  async run(input, terminal) {
    const index = readIndexFolder(input);
    if (readStoreFolder(input) === resolve(index)) throw new UsageError("--folder is the folder of the index itself");
    const isQuiet = input.has("quiet");
    const summary = await inStore(input, async (store) => {
      const pulled = await pullIndex(store, resolve(index), {
        onProgress: showTransfer(input, terminal),
        onWait: () => {
          if (!isQuiet) terminal.warn("waiting for a build that writes into the same folder");
        },
      });
      if (pulled === undefined) throw new NothingPublished(store.place, "so nothing was pulled");
      return pulled;
    });
    printResult(input, terminal, summary, describePull);
    return EXIT.done;
  },
};

function describeCommit({ commit, builtAt }: { readonly commit: string; readonly builtAt: string }): string {
  return `commit ${commit}${builtAt === "" ? "" : ` of ${builtAt}`}`;
}

function describePull(summary: PullSummary): string[] {
  const { generation, replaced, switched } = summary;
  const before = replaced === "" ? "" : `, which replaces ${replaced}`;
  const files = `${summary.downloadedFiles} files, ${formatBytes(summary.downloadedBytes)}`;
  const there = `${summary.reusedFiles} files, ${formatBytes(summary.reusedBytes)} there already`;
  return [
    switched
      ? `pulled ${generation} (${describeCommit(summary)})${before}`
      : `${generation} (${describeCommit(summary)}) is there already`,
    `  downloaded ${files}; ${there} (${summary.requests} requests, ${summary.seconds.toFixed(1)} s)`,
  ];
}
const rollbackCommand: Command = {
  name: "rollback",
  summary: "Make a generation that was published before the current one again.",
  positionals: [],
  options: {
    to: option.text(
      "GENERATION",
      "Generation to go back to, or how its id begins. Default: the one that was current before.",
    ),
    ...storeOptions,
    "dry-run": option.flag("Say what would be current, and write nothing."),
    json: option.flag("Print one JSON object."),
  },
  details: `${STORE_DETAILS} The generation that was current stays, so a second rollback takes the first one back.`,
  async run(input, terminal) {
    const to = input.text("to");
    const dryRun = input.has("dry-run");
    const summary = await inStore(input, (store) => rollBack(store, { dryRun, ...(to !== undefined && { to }) }));
    printResult(input, terminal, summary, ({ generation, replaced, kept }) => [
      `${generation} (${describeCommit(summary)}) ${dryRun ? "would be current" : "is current"} in place of ${replaced}`,
      `  kept: ${kept.join(", ")}`,
    ]);
    return EXIT.done;
  },
};

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const gcCommand: Command = {
  name: "gc",
  summary: "Remove the files of generations that are kept no longer.",
  positionals: [],
  options: {
    ...storeOptions,
    grace: option.text("1h", "How old a file must be that is removed: 90m, 24h, 7d. At least, and by default, 1h."),
    "dry-run": option.flag("Say what would be removed, and remove nothing."),
    json: option.flag("Print one JSON object."),
  },
  details: `${STORE_DETAILS} What is no index file is named and stays.`,
  async run(input, terminal) {
    const graceMs = readGrace(input);
    const dryRun = input.has("dry-run");
    const summary = await inStore(input, (store, isNamed) => collectGarbage(store, { graceMs, dryRun, isNamed }));
    printResult(input, terminal, summary, describeCollect);
    const { foreign } = summary;
    if (input.has("json") || foreign.length === 0) return EXIT.done;
    terminal.warn(`${foreign.length} objects are no index files and stay:`);
    warnSome(terminal, foreign, "  ");
    return EXIT.done;
  },
};

function describeCollect({ removed, removedBytes, isRemoved, needed, young, dryRun }: CollectSummary): string[] {
  const done = `${removed} files, ${formatBytes(removedBytes)} ${dryRun ? "would be removed" : "removed"}`;
  if (!isRemoved) return [`${done}; ${needed} files are needed, ${young} are too young to be removed`];
  const wait = young > 0 ? `, ${young} have to wait until readers are done: run gc again after the grace period` : "";
  return [`${done}; nothing is published there any more${wait}`];
}

function readGrace(input: CommandInput): number {
  const text = input.text("grace");
  if (text === undefined) return LEAST_GRACE_MS;
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit as keyof typeof UNITS_MS] ?? Number.NaN);
  if (ms >= LEAST_GRACE_MS) return ms;
  throw new UsageError(`--grace takes minutes, hours or days (90m, 24h, 7d), at least 1h; got ${JSON.stringify(text)}`);
}

const ACTIONS = ["list", "remove"] as const;
const ROOT = "(root)";
const corporaCommand: Command = {
  name: "corpora",
  summary: "List the corpora of a bucket or a folder, or remove one.",
  positionals: ["[list|remove]", "[name]"],
  options: {
    ...placeOptions,
    yes: option.flag("Remove it."),
    "dry-run": option.flag("Say what would be removed, and remove nothing."),
    json: option.flag("Print one JSON object."),
  },
  details: `${STORE_DETAILS} A removed corpus is not found any more; its files stay for an hour, until \`gc --corpus NAME\`.`,
  async run(input, terminal) {
    const [action = "list", name] = input.positionals;
    if (!ACTIONS.some((known) => known === action)) {
      throw new UsageError(`say what to do: ${ACTIONS.join(", ")}; got ${JSON.stringify(action)}`);
    }
    if (action === "remove") {
      if (name === undefined) throw new UsageError("name the corpus to remove");
      checkCorpusName(name);
      if (input.has("yes") && input.has("dry-run")) throw new UsageError("give --yes or --dry-run, not both");
      return remove(openPlace(input), name, input, terminal);
    }
    if (name !== undefined) throw new UsageError(`unexpected ${JSON.stringify(name)}`);
    for (const option of ["yes", "dry-run"]) {
      if (input.has(option)) throw new UsageError(`--${option} is for corpora remove`);
    }
    return list(openPlace(input), input, terminal);
  },
};

async function list(place: ObjectStore, input: CommandInput, terminal: Terminal): Promise<number> {
  const found = await listCorpora(place);
  const { corpora, unreadable, leftOver } = found;
  const width = Math.max(0, ...[...corpora, ...unreadable].map(({ name }) => (name || ROOT).length));
  printResult(input, terminal, found, () => corpora.map((corpus) => describeCorpus(corpus, width)));
  if (input.has("json")) return EXIT.done;
  if (corpora.length === 0) terminal.warn(`Nothing is published in ${place.place}.`);
  for (const { name, problem } of unreadable) {
    terminal.warn(toPrintable(`${(name || ROOT).padEnd(width)}  ${problem}`));
  }
  for (const name of leftOver) {
    terminal.warn(`${name} holds files and no index: it was removed, or its first publish did not end.`);
    terminal.warn(`  \`treeline gc --corpus ${name}\` removes them`);
  }
  return EXIT.done;
}

function describeCorpus(corpus: StoredCorpus, width: number): string {
  const { name, generation, bytes, kept } = corpus;
  return `${(name || ROOT).padEnd(width)}  ${generation}  ${describeCommit(corpus)}, ${formatBytes(bytes)}, ${kept} kept beside it`;
}

async function remove(place: ObjectStore, name: string, input: CommandInput, terminal: Terminal): Promise<number> {
  const dryRun = !input.has("yes");
  const summary = await nameOthers(place, name, () => removeCorpus(place.within(name), name, { dryRun }));
  printResult(input, terminal, summary, ({ generation, files, bytes }) => [
    `${name} (${generation === "" ? "without an index that can be read" : `generation ${generation}`}) ${dryRun ? "would be removed" : "is removed"}`,
    `  ${files} files, ${formatBytes(bytes)} stay for who reads them; \`treeline gc --corpus ${name}\` removes them after an hour`,
  ]);
  if (!dryRun || input.has("dry-run")) return EXIT.done;
  // Who wanted it removed must not take this for done.
  terminal.warn("Nothing was removed: say it again with --yes, or with --dry-run to ask.");
  return EXIT.usage;
}

function showTransfer(input: CommandInput, terminal: Terminal): (progress: TransferProgress) => void {
  const show = showProgress(input, terminal, ["comparing files …", "making it the current one …"]);
  return ({ files, allFiles, bytes, allBytes }) =>
    show(files, allFiles, `${files} of ${allFiles} files, ${formatBytes(bytes)} of ${formatBytes(allBytes)}`);
}

export const publishCommands = {
  publish: publishCommand,
  pull: pullCommand,
  rollback: rollbackCommand,
  gc: gcCommand,
  corpora: corporaCommand,
};
