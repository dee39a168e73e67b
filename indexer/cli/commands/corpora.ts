/**
 * Command `corpora`: the corpora that lie side by side in a bucket or a folder, and removing one.
 */
import { checkCorpusName } from "../../../src/surface/access/corpus-name.ts";
import { formatBytes, toPrintable } from "../../base/printable.ts";
import { UsageError } from "../../base/usage-error.ts";
import { listCorpora, removeCorpus, type StoredCorpus } from "../../publish/corpora.ts";
import type { ObjectStore } from "../../publish/object-store.ts";
import { type Command, type CommandInput, EXIT, type Terminal } from "../command.ts";
import { nameOthers, openPlace, placeOptions, STORE_DETAILS, warnOfTooMany } from "./store-option.ts";

const ACTIONS = ["list", "remove"] as const;
const ROOT = "(root)";

/** The command. */
export const corporaCommand: Command = {
  name: "corpora",
  summary: "List the corpora of a bucket or a folder, or remove one.",
  positionals: ["[list|remove]", "[name]"],
  options: {
    ...placeOptions,
    yes: { kind: "flag", description: "Remove it." },
    "dry-run": { kind: "flag", description: "Say what would be removed, and remove nothing." },
    json: { kind: "flag", description: "Print one JSON object." },
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
  if (input.has("json")) {
    terminal.print(JSON.stringify(found));
    return EXIT.done;
  }
  const { corpora, unreadable, leftOver } = found;
  const names = [...corpora, ...unreadable].map(({ name }) => name || ROOT);
  const width = Math.max(0, ...names.map((name) => name.length));
  for (const corpus of corpora) terminal.print(toPrintable(describe(corpus, width)));
  if (corpora.length === 0) terminal.warn(`Nothing is published in ${place.place}.`);
  for (const { name, problem } of unreadable) {
    terminal.warn(toPrintable(`${(name || ROOT).padEnd(width)}  ${problem}`));
  }
  const tooMany = await warnOfTooMany(place);
  if (tooMany !== undefined) terminal.warn(tooMany);
  for (const name of leftOver) {
    terminal.warn(`${name} holds files and no index: it was removed, or its first publish did not end.`);
    terminal.warn(`  \`treeline gc --corpus ${name}\` removes them`);
  }
  return EXIT.done;
}

function describe({ name, generation, commit, builtAt, bytes, kept }: StoredCorpus, width: number): string {
  const of = `commit ${commit}${builtAt === "" ? "" : ` of ${builtAt}`}`;
  return `${(name || ROOT).padEnd(width)}  ${generation}  ${of}, ${formatBytes(bytes)}, ${kept} kept beside it`;
}

async function remove(place: ObjectStore, name: string, input: CommandInput, terminal: Terminal): Promise<number> {
  const dryRun = !input.has("yes");
  const summary = await nameOthers(place, name, () => removeCorpus(place.within(name), name, { dryRun }));
  if (input.has("json")) terminal.print(JSON.stringify(summary));
  else {
    const { generation, files, bytes } = summary;
    const which = generation === "" ? "without an index that can be read" : `generation ${generation}`;
    terminal.print(`${name} (${which}) ${dryRun ? "would be removed" : "is removed"}`);
    terminal.print(
      `  ${files} files, ${formatBytes(bytes)} stay for who reads them; \`treeline gc --corpus ${name}\` removes them after an hour`,
    );
  }
  if (!dryRun || input.has("dry-run")) return EXIT.done;
  // Who wanted it removed must not take this for done.
  terminal.warn("Nothing was removed: say it again with --yes, or with --dry-run to ask.");
  return EXIT.usage;
}
