/**
 * Made-up source code as the linker gives it: files with symbols, edges between them, pages that mention them. The same
 * seed gives the same code.
 */
import { makeRandom } from "../../bench/random.ts";
import type { GroupCode } from "../../indexer/link/code/link-code.ts";
import { graphPackages } from "../../indexer/link/code/packages.ts";
import { idOf } from "../../src/core/code/load-files.ts";
import {
  EDGE_KINDS,
  EDGE_TIERS,
  type EdgeRecord,
  type EdgeTarget,
  type FileRecord,
  type SymbolKind,
  type SymbolRecord,
} from "../../src/core/format/code-model.ts";
import type { NamedSymbol } from "../../src/core/format/edge-tables.ts";
import { compareNames } from "../../src/core/text/names.ts";

/** How much of it. */
export interface CodeSize {
  readonly files: number;
  /** On the average. */
  readonly symbolsPerFile: number;
  readonly edgesPerFile: number;
  readonly mentions: number;
}

const WORDS =
  "create open close read write store index page shard chunk table entry value cache user name type node tree path file text parse token render query search result rank score list map set key item group edge symbol graph link route server client request response handler event state config option error limit size count range block pack byte reader writer build watch load save find match filter sort merge split format check test make get is has add remove update delete init start stop run send receive connect stream buffer pool worker thread task job queue lock time date clock timer signal hook plugin module package import export source target base delta root leaf parent child".split(
    " ",
  );
const COMMON = ["get", "constructor", "toString", "name", "run", "id", "init", "value"];
const MEMBER_KINDS: readonly SymbolKind[] = ["method", "method", "property", "field"];
const TOP_KINDS: readonly SymbolKind[] = [
  "function",
  "function",
  "constant",
  "interface",
  "typeAlias",
  "class",
  "class",
];
const PARTS_OF_NAMES = [1, 2, 2, 2, 3, 3, 4];

type Random = () => number;

/** Made-up code of a collection `code`. */
export function makeUpCode(seed: number, size: CodeSize): GroupCode {
  const random = makeRandom(seed);
  const paths = new Set<string>();
  while (paths.size < size.files) paths.add(makeUpPath(random, size.files));
  const files = [...paths]
    .map((path) => `code:${path}`)
    .sort(compareNames)
    .map((id) => makeUpFile(random, id, size.symbolsPerFile));
  const edges = files.map((file, number) =>
    Array.from({ length: file.symbols.length === 0 ? 0 : Math.floor(random() * 2 * size.edgesPerFile) }, () =>
      makeUpEdge(random, files, number),
    ).sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column),
  );
  const mentions = Array.from({ length: size.mentions }, () => makeUpMention(random, files)).filter(
    (mention) => mention !== undefined,
  );
  return { files, edges, mentions, packages: graphPackages(files, edges, () => false) };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

/** Few words are frequent, most are not. */
function pickWord(random: Random): string {
  return WORDS[Math.floor(random() ** 2 * WORDS.length)] as string;
}

function makeUpPath(random: Random, files: number): string {
  const folders = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pickWord(random));
  return `src/${folders.join("/")}/${pickWord(random)}-${pickWord(random)}-${Math.floor(random() * files)}.${random() < 0.8 ? "ts" : "py"}`;
}

function makeUpName(random: Random, kind: SymbolKind): string {
  if (kind === "constructor") return "constructor";
  if (random() < 0.08) return pick(random, COMMON);
  const words = Array.from({ length: pick(random, PARTS_OF_NAMES) }, () => pickWord(random));
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  if (kind === "constant" && random() < 0.5) return words.join("_").toUpperCase();
  if (["class", "interface", "typeAlias"].includes(kind)) return words.map(capital).join("");
  if (random() < 0.1) return words.join("_");
  return words.map((word, at) => (at === 0 ? word : capital(word))).join("");
}

function makeUpFile(random: Random, id: string, symbolsPerFile: number): FileRecord {
  const symbols: SymbolRecord[] = [];
  const counts = new Map<string, number>();
  const count = Math.floor(random() * 2 * symbolsPerFile);
  let line = 1;
  let container = -1;
  while (symbols.length < count) {
    const isMember = container >= 0 && random() < 0.7;
    const kind = isMember ? (random() < 0.1 ? "constructor" : pick(random, MEMBER_KINDS)) : pick(random, TOP_KINDS);
    const name = makeUpName(random, kind);
    const parent = isMember ? container : -1;
    const base = isMember ? `${symbols[container]?.path}.${name}` : name;
    const same = (counts.get(base) ?? 0) + 1;
    counts.set(base, same);
    if (!isMember) container = kind === "class" || kind === "interface" ? symbols.length : -1;
    line += 1 + Math.floor(random() * 9);
    const column = isMember ? 3 : 1;
    const type = random() < 0.5 ? makeUpName(random, "class") : "";
    const isExported = random() < 0.4;
    symbols.push({
      kind,
      name,
      path: same === 1 ? base : `${base}~${same}`,
      parent,
      at: { line, column: column + 9 },
      start: { line, column },
      end: { line: line + Math.floor(random() * 8), column: column + 1 },
      signature: `${isExported && !isMember ? "export " : ""}${kind} ${name}(${pickWord(random)}: ${makeUpName(random, "class")})${type === "" ? "" : `: ${type}`}`,
      doc: random() < 0.3 ? Array.from({ length: 9 }, () => pickWord(random)).join(" ") : "",
      flags: isExported ? ["exported"] : [],
      type,
      bases: kind === "class" && random() < 0.3 ? [makeUpName(random, "class")] : [],
      rank: Math.floor(random() ** 4 * 256),
      section: symbols.length + 1,
    });
  }
  return {
    id,
    language: id.endsWith(".py") ? "python" : "typescript",
    module: "made-up",
    package: id.split("/")[1] ?? "main",
    hash: Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join(""),
    rank: Math.floor(random() ** 4 * 256),
    errors: random() < 0.02 ? 1 : 0,
    symbols,
  };
}

function makeUpEdge(random: Random, files: readonly FileRecord[], from: number): EdgeRecord {
  const own = files[from] as FileRecord;
  return {
    kind: random() < 0.5 ? "calls" : pick(random, EDGE_KINDS),
    tier: pick(random, EDGE_TIERS),
    typeOnly: random() < 0.1,
    from: Math.floor(random() * (own.symbols.length + 1)) - 1,
    at: { line: 1 + Math.floor(random() * 300), column: 1 + Math.floor(random() * 80) },
    to: makeUpTarget(random, files, from),
  };
}

function makeUpTarget(random: Random, files: readonly FileRecord[], from: number): EdgeTarget {
  const draw = random();
  if (draw < 0.1) return { external: `npm:${pickWord(random)}` };
  // Most of what is used is near or is one of few that everything uses.
  const file = draw < 0.5 ? from : Math.floor(random() ** 3 * files.length);
  const count = files[file]?.symbols.length ?? 0;
  return { file, symbol: count === 0 || draw > 0.9 ? -1 : Math.floor(random() ** 2 * count) };
}

function makeUpMention(random: Random, files: readonly FileRecord[]): NamedSymbol | undefined {
  const file = Math.floor(random() * files.length);
  const symbols = files[file]?.symbols ?? [];
  if (symbols.length === 0) return undefined;
  const symbol = Math.floor(random() * symbols.length);
  return {
    nodeId: `docs:${pickWord(random)}.md#${pickWord(random)}`,
    text: symbols[symbol]?.name ?? "",
    line: 1 + Math.floor(random() * 200),
    symbolId: idOf(files[file] as FileRecord, symbol),
  };
}
