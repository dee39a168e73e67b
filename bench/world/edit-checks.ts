/** Checks that change files: a rename that is applied and parsed, and five edits that are built on the first index. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { loadParsers } from "../../indexer/parse/code/parse-code.ts";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";
import { shuffle } from "../random.ts";
import type { BuiltTree, IndexedDocument } from "./ask-checks.ts";
import { startServer, type Tally } from "./ask-server.ts";
import {
  type Answer,
  applyEdits,
  type Edit,
  judgeAnswered,
  judgeRename,
  listOf,
  type ParsedTwice,
} from "./judge-answers.ts";
import { readDump, runBuild, runCli } from "./run-cli.ts";
import { type Outcome, toOutcome } from "./tree-result.ts";

const RENAME_TRIES = 25;
const RENAMED_KINDS = new Set([
  "function",
  "class",
  "method",
  "interface",
  "struct",
  "trait",
  "enum",
  "typeAlias",
  "constant",
  "field",
  "property",
]);
const SUFFIX = "Qz7";
const ADDED_WORD = "worldaddedqzx";
const CHANGED_WORD = "worldchangedqzx";

/** Applies the certain edits of the first plan that has two or more and fits one answer. */
export async function checkRename({ dir, documents, symbols, random, server }: BuiltTree): Promise<Outcome> {
  const paths = new Map(documents.map(({ id, path }) => [id, path]));
  const named = symbols.filter(({ name, kind }) => RENAMED_KINDS.has(kind) && /^[A-Za-z_]\w{2,}$/.test(name));
  for (const { id, name } of shuffle(named, random).slice(0, RENAME_TRIES)) {
    const newName = `${name}${SUFFIX}`;
    const plan = await server.askJson("rename", { symbol: id, new_name: newName, limit: 200 });
    if (plan.isError) continue;
    const files = listOf(plan.json["files"]);
    const edits = files.flatMap(({ certain }) => listOf(certain));
    if (edits.length < 2 || edits.length !== plan.json["certain"]) continue;
    const miss = await applyPlan(plan, newName, (file) => {
      const path = paths.get(file) ?? file;
      return { path, text: readFileSync(join(dir, path), "utf8") };
    });
    return toOutcome("rename", 1, miss === undefined ? [] : [miss]);
  }
  return toOutcome("rename", 0, []);
}

async function applyPlan(
  plan: Answer,
  newName: string,
  read: (file: string) => { path: string; text: string },
): Promise<string | undefined> {
  const parsed: ParsedTwice[] = [];
  for (const { file, certain } of listOf(plan.json["files"])) {
    const { path, text } = read(String(file));
    const language = codeLanguageOf(path);
    const parse = language === undefined ? undefined : (await loadParsers([path])).get(language);
    if (parse === undefined) return `${plan.call}: ${path} is no source file`;
    try {
      const before = parse({ path, text });
      const after = parse({ path, text: applyEdits(text, certain as readonly Edit[]) });
      const namesAfter = after.symbols.map((symbol) => symbol.name);
      parsed.push({ path, errorsBefore: before.errors, errorsAfter: after.errors, namesAfter });
    } catch (error) {
      return `${plan.call}: ${path}: ${(error as Error).message}`;
    }
  }
  return judgeRename(plan.call, newName, parsed);
}

/** Documents of an index that was built on a base, and what is said of the words that were written into it. */
export interface EditedIndex {
  readonly paths: ReadonlySet<string>;
  readonly added: Answer;
  readonly changed: Answer;
  readonly deleted: Answer;
}

/** The edits that were made: paths of the documents. */
export interface Edits {
  readonly added: string;
  readonly changed: readonly string[];
  readonly deleted: string;
  readonly renamed: readonly [from: string, to: string];
}

export function judgeEdits({ added, changed, deleted, renamed }: Edits, index: EditedIndex): string[] {
  const [from, to] = renamed;
  const found = (answer: Answer): number => Number(answer.json["total"] ?? 0);
  const isGone = index.deleted.isError && /\bno\b|\bnot\b|unknown/i.test(index.deleted.text);
  return [
    ...(index.paths.has(added) ? [] : [`${added}: added, and no document`]),
    ...(found(index.added) > 0
      ? []
      : [`${added}: its word is not found; ${judgeAnswered(index.added) ?? index.added.call}`]),
    ...(found(index.changed) >= changed.length
      ? []
      : [`${changed.join(", ")}: ${found(index.changed)} changed lines found`]),
    ...(index.paths.has(deleted) || !isGone ? [`${deleted}: deleted, and still a document`] : []),
    ...(index.paths.has(from) || !index.paths.has(to)
      ? [`${from}: renamed to ${to}, which the index does not show`]
      : []),
  ];
}

/** Changes two files, adds one, deletes one, renames one; builds on the first index and asks for what changed. */
export async function checkEdits(tree: BuiltTree, base: string, out: string, tally: Tally): Promise<Outcome> {
  const edits = makeEdits(tree);
  if (edits === undefined) return toOutcome("base", 0, []);
  const misses: string[] = [];
  try {
    await runBuild(tree.dir, out, base);
  } catch (error) {
    return toOutcome("base", 1, [`build --base fails: ${(error as Error).message.slice(-1500)}`]);
  }
  const damage = await runCli(["check", "--index", out]);
  if (damage !== undefined) misses.push(damage);
  const paths = new Set(await readDump("documents", out, ({ path }) => String(path)));
  const server = await startServer(out, tally);
  const grep = (pattern: string): Promise<Answer> => server.askJson("grep_documents", { pattern, context: 0 });
  misses.push(
    ...judgeEdits(edits.paths, {
      paths,
      added: await grep(ADDED_WORD),
      changed: await grep(CHANGED_WORD),
      deleted: await server.ask("get_tree", { doc_id: edits.deletedId }),
    }),
  );
  await server.close();
  return toOutcome("base", 6, misses);
}

/** Edits the files of five documents, as far as there are five that may be touched. */
function makeEdits({ dir, documents, kinds, random }: BuiltTree): { paths: Edits; deletedId: string } | undefined {
  const [one, two, deleted, renamed, model] = shuffle(documents, random);
  if (!one || !two || !deleted || !renamed || !model) return undefined;
  for (const { path } of [one, two]) changeLine(join(dir, path), random);
  const added = `world-added-qzx${extname(model.path)}`;
  writeFileSync(join(dir, added), writeAdded(readFileSync(join(dir, model.path), "utf8"), kinds.get(model.collection)));
  rmSync(join(dir, deleted.path));
  const to = renamed.path.replace(/(\.[^./]+)$/, "-renamed-qzx$1");
  renameSync(join(dir, renamed.path), join(dir, to));
  const paths: Edits = { added, changed: [one.path, two.path], deleted: deleted.path, renamed: [renamed.path, to] };
  return { paths, deletedId: (deleted satisfies IndexedDocument).id };
}

/** A word more at the end of a line in the middle; of a page of HTML a paragraph more. */
function changeLine(path: string, random: () => number): void {
  const text = readFileSync(path, "utf8");
  if (path.endsWith(".html")) {
    const paragraph = `<p>${CHANGED_WORD}</p>`;
    const main = text.replace(/<main\b[^>]*>/i, `$&${paragraph}`);
    const body = main === text ? text.replace(/<\/body>/i, `${paragraph}$&`) : main;
    writeFileSync(path, body === text ? text + paragraph : body);
    return;
  }
  const lines = text.split("\n");
  const filled = lines.flatMap((line, at) => (line.trim() === "" ? [] : [at]));
  const at = filled[Math.floor(filled.length / 2 + random() * (filled.length / 4))] ?? 0;
  lines[at] = `${lines[at]?.replace(/\r$/, "")} ${CHANGED_WORD}${lines[at]?.endsWith("\r") ? "\r" : ""}`;
  writeFileSync(path, lines.join("\n"));
}

/** @param text Model of the added file: of source code a copy, of a site whether its pages mark their text. */
function writeAdded(text: string, kind: string | undefined): string {
  if (kind === "docs") return `# Added page\n\nThis page holds ${ADDED_WORD}.\n`;
  if (kind !== "site") return `${text}\n${ADDED_WORD}\n`;
  const mark = text.includes("data-pagefind-body") ? " data-pagefind-body" : "";
  return `<html><head><title>Added</title></head><body><main${mark}><h1>Added</h1><p>${ADDED_WORD}</p></main></body></html>`;
}
