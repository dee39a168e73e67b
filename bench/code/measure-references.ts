/**
 * References of a tree in one language, held against a compiler or language server of that language: gopls, clangd,
 * intelephense, scip-python, javac, rustc.
 *
 * usage: npm run bench:references -- LANGUAGE DIR [--tools DIR] [--flags=FLAGS] [--sample N] [--seed N] [--wrong N] [--missed N]
 *        npm run bench:references -- LANGUAGE DIR --read N     (draws N edges with their lines, to be read by a person)
 *
 * Prints how many edges were judged, precision by tier, recall of a sample of all names, and where they differ. What has to be
 * installed stands at the top of `references/truth.ts`.
 *
 * An edge is right where it leads to the line of the declaration; prototypes, definitions, overloads and a class with its
 * constructors are one symbol. What the server knows nothing of is not judged. Recall counts names whose declaration is a
 * symbol of the index; locals and what lies outside of the tree are not.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { LinkFile } from "../../indexer/languages/base/language.ts";
import { SyntaxTree } from "../../indexer/languages/base/syntax-tree.ts";
import { TREE_DIALECTS } from "../../indexer/languages/languages.ts";
import { type LinkedCode, linkCode } from "../../indexer/link/code/link-files.ts";
import { isCodeManifest } from "../../indexer/link/code/read-manifests.ts";
import { loadedGrammar, loadGrammar, parseBounded } from "../../indexer/parse/code/grammars.ts";
import { parseWithTreeSitter } from "../../indexer/parse/code/parse-tree.ts";
import { normalizeSource } from "../../indexer/parse/markdown/page-text.ts";
import { CODE_LANGUAGES, type CodeLanguage, codeLanguageOf } from "../../src/core/text/code-languages.ts";
import { makeRandom, shuffle } from "../random.ts";
import type { Answer, Place } from "./references/places.ts";
import { TRUTHS } from "./references/truth.ts";

type Edge = LinkedCode["edges"][number][number];

/** An edge from a name to a symbol of the tree, or to a file of it. */
interface Use extends Place {
  readonly edge: Edge;
  readonly file: number;
  readonly symbol: number;
}

interface Tree {
  readonly folder: string;
  readonly paths: readonly string[];
  readonly linked: LinkedCode;
  /** All names in the sources. */
  readonly names: readonly Place[];
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    tools: { type: "string", default: "." },
    flags: { type: "string", default: "" },
    sample: { type: "string", default: "3000" },
    seed: { type: "string", default: "1" },
    wrong: { type: "string", default: "0" },
    missed: { type: "string", default: "0" },
    read: { type: "string", default: "0" },
  },
});
const [named, dir] = positionals;
const language = CODE_LANGUAGES.find((one) => one === named && TREE_DIALECTS.has(one));
if (language === undefined || dir === undefined) {
  console.error(
    "usage: npm run bench:references -- LANGUAGE DIR [--tools DIR] [--flags=FLAGS] [--sample N] [--seed N] [--wrong N] [--missed N] [--read N]",
  );
  process.exit(2);
}
/** Lines of the files that were shown. */
const texts = new Map<string, readonly string[]>();
const random = makeRandom(Number(values.seed));
const tree = await readTree(resolve(dir), language);
if (Number(values.read) > 0) showToRead(tree, Number(values.read));
else await measure(tree, language);

async function readTree(folder: string, wanted: CodeLanguage): Promise<Tree> {
  const isHeader = (path: string): boolean => wanted === "cpp" && path.endsWith(".h");
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  const paths = all.filter((path) => codeLanguageOf(path) === wanted || isHeader(path));
  for (const one of new Set(paths.map((path) => codeLanguageOf(path) as CodeLanguage))) await loadGrammar(one);
  await loadGrammar(wanted);
  const names: Place[] = [];
  const files = paths.map((path): LinkFile => {
    const text = normalizeSource(readFileSync(join(folder, path), "utf8"));
    const code = parseWithTreeSitter({ path, text, language: codeLanguageOf(path) as CodeLanguage });
    for (const place of listNames(path, text, code.language as CodeLanguage)) names.push(place);
    return { collection: "code", id: `code:${path}`, path, hash: "", code, sectionOf: () => 0 };
  });
  const manifests = all
    .filter(isCodeManifest)
    .map((path) => ({ collection: "code", path, text: readFileSync(join(folder, path), "utf8") }));
  return { folder, paths, linked: linkCode({ files, manifests }), names };
}

/** Places of all names of a file, by its syntax tree. */
function listNames(path: string, text: string, of: CodeLanguage): Place[] {
  const grammar = loadedGrammar(of);
  const { rules } = TREE_DIALECTS.get(of) as { rules: { prepare?: (text: string) => string } };
  const nodes = parseBounded(
    grammar,
    rules.prepare?.(text) ?? text,
    (parsed) => new SyntaxTree(parsed, text, grammar.names),
  );
  const found: Place[] = [];
  for (let node = 0; node < nodes.count; node++) {
    const isName = /identifier|^name$|^constant$/.test(nodes.type(node)) && nodes.after(node) === node + 1;
    if (isName && nodes.isNamed(node)) found.push({ path, ...nodes.positionAt(nodes.start(node)) });
  }
  return found;
}

/** Edges of uses and imports. Of an import that leads to a file and to a symbol there, the second. */
function listUses({ linked, paths }: Tree): Use[] {
  return linked.edges.flatMap((edges, from) => {
    const path = paths[from] as string;
    const uses = edges.flatMap((edge): Use[] => {
      const { kind, at, to } = edge;
      if (kind === "overrides" || kind === "declares" || !("file" in to)) return [];
      return [{ path, ...at, edge, file: to.file, symbol: to.symbol }];
    });
    const bySymbol = new Set(uses.filter(({ symbol }) => symbol >= 0).map(keyOf));
    const last = new Map(uses.map((use) => [keyOf(use), use]));
    return uses.filter((use) => use.symbol >= 0 || (!bySymbol.has(keyOf(use)) && last.get(keyOf(use)) === use));
  });
}

/** Tells whether an answer means the symbol that an edge leads to. */
function createJudge(of: Tree): (use: Use, answer: readonly Place[]) => boolean {
  const { linked, paths } = of;
  const partners = new Map<string, Place[]>();
  const placeOf = (file: number, symbol: number): Place => ({
    path: paths[file] as string,
    ...(linked.files[file]?.symbols[symbol]?.at ?? { line: 1, column: 1 }),
  });
  for (const [file, edges] of linked.edges.entries()) {
    for (const { kind, from, to } of edges) {
      if (kind !== "declares" || !("file" in to)) continue;
      const key = `${to.file} ${to.symbol}`;
      partners.set(key, [...(partners.get(key) ?? []), placeOf(file, from)]);
    }
  }
  const same = (file: number, symbol: number): Place[] => {
    const symbols = linked.files[file]?.symbols ?? [];
    const target = symbols[symbol];
    if (target === undefined) return [];
    const base = target.path.replace(/~\d+$/, "");
    return symbols.flatMap((other, index): Place[] => {
      const isOverload = other.path.replace(/~\d+$/, "") === base;
      const isConstructor = other.parent === symbol && other.kind === "constructor";
      const isMade = target.kind === "constructor" && target.parent === index;
      if (!isOverload && !isConstructor && !isMade) return [];
      return [placeOf(file, index), ...(partners.get(`${file} ${index}`) ?? [])];
    });
  };
  const known = new Map<string, Set<string>>();
  return ({ file, symbol }, answer) => {
    if (symbol < 0) {
      const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
      return answer.some(
        ({ path }) => path === paths[file] || (language === "go" && folderOf(path) === folderOf(paths[file] as string)),
      );
    }
    const key = `${file} ${symbol}`;
    const lines = known.get(key) ?? new Set(same(file, symbol).map(({ path, line }) => `${path}:${line}`));
    known.set(key, lines);
    const { name = "", at } = linked.files[file]?.symbols[symbol] ?? {};
    const own = at === undefined ? "" : lineAt(of, { path: paths[file] as string, ...at });
    return answer.some(
      (to) =>
        lines.has(`${to.path}:${to.line}`) ||
        (wordAt(of, to) === name && (isTypedefOf(lineAt(of, to), name) || isTypedefOf(own, name))),
    );
  };
}

/** A struct and its `typedef` of the same name are one type: `typedef struct Store Store;`, `typedef struct Store { … } Store;`. */
function isTypedefOf(line: string, name: string): boolean {
  if (name === "") return false;
  return new RegExp(`^typedef\\s+(?:struct|union|enum)\\s+${name}\\s*\\*?\\s*${name};|^}[\\w\\s*,]*\\b${name}\\b`).test(
    line,
  );
}

async function measure(of: Tree, wanted: CodeLanguage): Promise<void> {
  const makeTruth = TRUTHS[wanted];
  if (makeTruth === undefined) throw new Error(`Nothing to hold ${wanted} against; --read draws edges for a person`);
  const truth = await makeTruth(of.folder, {
    tools: resolve(values.tools),
    paths: of.paths,
    flags: values.flags.split(" ").filter((flag) => flag !== ""),
  });
  const most = truth.isTable ? Number.POSITIVE_INFINITY : Number(values.sample);
  const uses = listUses(of);
  const judged = shuffle(uses, random).slice(0, most);
  const sample = shuffle(of.names, random).slice(0, most);
  const answers = await truth.ask(judged);
  const isRight = createJudge(of);
  const tiers = new Map<string, { judged: number; right: number }>();
  const wrong: string[] = [];
  let unknown = 0;
  for (const [index, use] of judged.entries()) {
    const answer = answers[index];
    if (answer === undefined) {
      unknown++;
      continue;
    }
    const { tier, kind } = use.edge;
    const isImport = kind === "imports" || kind === "reexports";
    const right = isRight(use, answer);
    for (const name of [isImport ? "imports" : tier, ...(tier === "name" ? [] : ["all above name"])]) {
      const row = tiers.get(name) ?? { judged: 0, right: 0 };
      tiers.set(name, { judged: row.judged + 1, right: row.right + (right ? 1 : 0) });
    }
    if (!right)
      wrong.push(`${tier === "name" ? "[name] " : ""}${showUse(of, use)}, ${truth.name}: ${showAnswer(of, answer)}`);
  }
  console.log(
    `${dir}: ${of.paths.length} files, ${uses.length} edges, ${judged.length} asked, ${unknown} unknown to ${truth.name}`,
  );
  for (const [name, { judged: count, right }] of [...tiers].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  P ${name}: ${share(right, count)} of ${count}`);
  show("wrong", wrong, Number(values.wrong));
  recall(of, uses, sample, await truth.ask(sample), isRight);
  truth.close();
}

/** Of names whose declaration is a symbol of the index, those with an edge to it. */
function recall(
  of: Tree,
  uses: readonly Use[],
  sample: readonly Place[],
  answers: readonly Answer[],
  isRight: (use: Use, answer: readonly Place[]) => boolean,
): void {
  const places = new Set(
    of.linked.files.flatMap(({ symbols }, file) =>
      symbols.map(({ at }) => keyOf({ path: of.paths[file] as string, ...at })),
    ),
  );
  const edges = new Map<string, Use[]>();
  for (const use of uses) edges.set(keyOf(use), [...(edges.get(keyOf(use)) ?? []), use]);
  const missed: string[] = [];
  let total = 0;
  let sure = 0;
  let guessed = 0;
  for (const [index, place] of sample.entries()) {
    const answer = answers[index];
    if (answer === undefined || places.has(keyOf(place))) continue;
    const name = wordAt(of, place);
    // intelephense says of each part of a path, and of `self`, what the whole leads to.
    if (language === "php" && isPartOfPath(of, place, name)) continue;
    if (!answer.some((to) => places.has(keyOf(to)))) continue;
    total++;
    const found = (edges.get(keyOf(place)) ?? []).filter((use) => isRight(use, answer));
    if (found.some(({ edge }) => edge.tier !== "name")) sure++;
    else if (found.length > 0) guessed++;
    else missed.push(`${keyOf(place)} ${name} -> ${showAnswer(of, answer)} | ${lineAt(of, place)}`);
  }
  console.log(`  R ${share(sure, total)} of ${total}, with guesses ${share(sure + guessed, total)}`);
  show("missed", missed, Number(values.missed));
}

function isPartOfPath(of: Tree, { path, line, column }: Place, name: string): boolean {
  const isFollowed = (linesOf(of, path)[line - 1] ?? "")[column - 1 + name.length] === "\\";
  return isFollowed || /^(?:self|static|parent)$/.test(name);
}

function showToRead(of: Tree, count: number): void {
  const sure = listUses(of).filter(({ edge }) => edge.tier !== "name");
  console.log(`${sure.length} edges above the tier name`);
  for (const use of shuffle(sure, random).slice(0, count)) console.log(`${showUse(of, use)}\n    ${lineAt(of, use)}`);
}

function showUse(of: Tree, use: Use): string {
  const target = of.linked.files[use.file]?.symbols[use.symbol];
  const line = target === undefined ? "" : `#${target.path}:${target.at.line}`;
  return `${keyOf(use)} ${wordAt(of, use)} (${use.edge.kind}, ${use.edge.tier}) -> ${of.paths[use.file]}${line}`;
}

function showAnswer(of: Tree, answer: readonly Place[]): string {
  return answer
    .slice(0, 2)
    .map((to) => `${keyOf(to)} ${lineAt(of, to)}`)
    .join(" ; ");
}

function linesOf({ folder }: Tree, path: string): readonly string[] {
  const known = texts.get(path);
  if (known !== undefined) return known;
  let lines: readonly string[] = [];
  try {
    lines = normalizeSource(readFileSync(join(folder, path), "utf8")).split("\n");
  } catch {
    // Outside of what can be read.
  }
  texts.set(path, lines);
  return lines;
}

function lineAt(of: Tree, { path, line }: Place): string {
  return (linesOf(of, path)[line - 1] ?? "").trim().slice(0, 140);
}

function wordAt(of: Tree, { path, line, column }: Place): string {
  return /^[\p{L}\p{N}_$]*/u.exec((linesOf(of, path)[line - 1] ?? "").slice(column - 1))?.[0] ?? "";
}

function keyOf({ path, line, column }: Place): string {
  return `${path}:${line}:${column}`;
}

function share(part: number, whole: number): string {
  return whole === 0 ? "-" : (part / whole).toFixed(4);
}

function show(kind: string, all: readonly string[], count: number): void {
  if (count === 0) return;
  console.log(`${kind}: ${all.length}`);
  for (const line of all.slice(0, count)) console.log(`  ${line}`);
}
