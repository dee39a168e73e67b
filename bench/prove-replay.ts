/**
 * What publishing costs, edit by edit: plays a git history, and builds each commit on the index of the one before.
 *
 *   npm run prove:replay -- REPOSITORY [--folder FOLDER] [--commits N] [--skip N] [--edits N] [--seed N] [--pagefind]
 *                           [--cache] [--out DIR] [--json FILE]
 *
 * Takes the last N (21) first-parent commits that touch Markdown, after the newest `--skip`. With `--edits` it makes N
 * edits of one page each instead; REPOSITORY may then be any folder of Markdown. `--pagefind` has the same pages
 * indexed by Pagefind, as HTML. `--cache` keeps the parse cache, which runners do not have: the same bytes, sooner. `--out`
 * keeps pages and the last index, in `pages` and `index`. Prints Markdown.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fetchPagefind } from "./pagefind/program.ts";
import { listCommits, readPages } from "./replay/git-history.ts";
import { drawEdits, type History, readCommits, readFolder } from "./replay/histories.ts";
import { type PlayedEdit, playHistory } from "./replay/play-history.ts";
import { showEdits, showSummary } from "./replay/show-replay.ts";
import { showBytes, showSeconds } from "./tables.ts";
import { buildTreeline } from "./treeline.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: "string", default: "" },
    commits: { type: "string", default: "21" },
    skip: { type: "string", default: "0" },
    edits: { type: "string" },
    seed: { type: "string", default: "1" },
    pagefind: { type: "boolean", default: false },
    cache: { type: "boolean", default: false },
    out: { type: "string" },
    json: { type: "string" },
  },
});
const [repository] = positionals;
if (repository === undefined || !existsSync(repository)) {
  console.error(
    "usage: npm run prove:replay -- REPOSITORY [--folder FOLDER] [--commits N] [--skip N] [--edits N] [--seed N] [--pagefind] [--cache] [--out DIR] [--json FILE]",
  );
  process.exit(2);
}
const room = values.out ?? mkdtempSync(join(tmpdir(), "treeline-replay-"));
const pagefind = values.pagefind ? await fetchPagefind(join(homedir(), ".cache", "treeline", "packages")) : undefined;
const played: PlayedEdit[] = [];
try {
  for await (const edit of playHistory({ history: chooseHistory(repository), room, pagefind, build })) {
    played.push(edit);
    const { name, newBytes, cost, notice } = edit;
    process.stderr.write(`${name}: ${showBytes(newBytes)}, ${showSeconds(cost?.cpuSeconds)} ${notice}\n`);
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(played, writeMaps, 1));
  }
} finally {
  if (values.out === undefined) rmSync(room, { recursive: true, force: true });
}
console.log(`${showEdits(played)}\n\n${showSummary(played)}`);

/** As a runner of the Action does, that has nothing but the index before: the command line in a process of its own. */
async function build(dir: string, out: string, base?: string) {
  const { notice, ...cost } = await buildTreeline(dir, out, base, values.cache ? [] : ["--no-cache"]);
  return { notice, cost: { ...cost, output: "" } };
}

function chooseHistory(place: string): History {
  const source = { repository: place, folder: values.folder.replace(/^\/|\/$/g, "") };
  if (values.edits === undefined) return readCommits(source, Number(values.commits), Number(values.skip));
  const isRepository = existsSync(join(place, ".git")) || existsSync(join(place, "HEAD"));
  const [commit = "HEAD"] = isRepository ? listCommits(source, 1, Number(values.skip)) : [];
  const base = isRepository ? readPages(source, commit) : readFolder(join(place, source.folder));
  return drawEdits(base, Number(values.edits), Number(values.seed));
}

function writeMaps(_: string, value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}
