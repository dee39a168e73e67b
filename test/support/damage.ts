/**
 * Damage to the files of an index, and what comes of it: for each fault every public function of the core must give the
 * answer that it gives on the whole index, or a typed error.
 */
import { FormatError, StaleGenerationError } from "../../src/core/errors.ts";
import { decodeChunk } from "../../src/core/format/chunk.ts";
import { fromDirectoryChunk, type Place } from "../../src/core/format/directory.ts";
import { visitBlocks } from "../../src/core/format/locator.ts";
import { fileOfPack, keyOfPack } from "../../src/core/format/pack.ts";
import { decodePointer, encodePointer } from "../../src/core/format/pointer.ts";
import { TABLE_NAMES } from "../../src/core/format/root.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { openIndex } from "../../src/core/index/open-index.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { readWithResident, residentTable } from "../../src/core/index/resident.ts";
import { grep } from "../../src/core/search/grep.ts";
import { makeLiteralPattern } from "../../src/core/search/grep-literal.ts";
import { search } from "../../src/core/search/search.ts";
import { findSimilar } from "../../src/core/search/similar.ts";
import { suggest } from "../../src/core/search/suggest.ts";
import { findNearestDocuments, listDocuments } from "../../src/core/tree/catalogue.ts";
import { loadLinks, loadOutline, readPassages, readSections, resolveOutlines } from "../../src/core/tree/documents.ts";
import { NO_FILTER } from "../../src/core/tree/facets.ts";
import { inflateRaw } from "../../indexer/codec.ts";
import { compileExpression } from "../../src/access/grep-expression.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { makeRandom, shuffle } from "../../bench/random.ts";
import { type BuiltIndex, buildCollections, type Pages } from "./build-index.ts";
import { createMemorySource } from "./memory-source.ts";
import { ask } from "./small-corpora.ts";

/** Behind the four bytes of magic. */
const VERSION_AT = 4;

/** Index files by name. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** A question to an index. */
type Operation = (reader: IndexReader) => Promise<unknown>;

/** A changed set of files. */
export interface Fault {
  /** What was done, for the message of a test that fails. */
  readonly what: string;
  readonly files: Files;
}

/** How often each kind of outcome came. */
export type Outcomes = Record<"right" | "FormatError" | "StaleGenerationError", number>;

const DOCUMENT = "docs:guide/page-3.md";
const MOST_MS = 10_000;
const CACHE_BYTES = 16 * 1024 * 1024;

/** Pages that fill every table; `mark` is a word of four letters that alone differs between indexes. */
export function markedPages(mark: string, part: string): Pages {
  const page = (n: number): string =>
    [
      `---\ntags: [t${n % 3}]\nstage: ${n % 2 === 0 ? "early" : "late"}\ndescription: How ${part} ${n} is kept\n---`,
      `# ${part} page ${n}\n\nA route leads to a handler of ${mark}. Single Sign-On (SSO) comes first.\n`,
      `## Dynamic routes\n\nUse the \`useRouter\` hook, see [the next](page-${(n + 1) % 20}.md#caching-answers).\n`,
      `## Caching answers\n\nThe cache keeps what handler number ${n} gave, ${mark} and SSO alike. ${part.repeat(n % 4)}\n`,
    ].join("\n");
  return Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`guide/page-${n}.md`, page(n)]));
}

/** A real index of two access groups with two-level directories in every larger table. */
export function buildMarked(mark: string): Promise<BuiltIndex> {
  return buildCollections(
    [
      { name: "docs", pages: markedPages(mark, "public") },
      { name: "team", access: "team", pages: markedPages(mark, "hidden") },
    ],
    { target: 400, maxDirectory: 24 },
  );
}

/** Between them these read every table, in every way, and the text. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  search: (reader) => search(reader, ask("route handler", { withFacetCounts: true, excerpts: 10 })),
  filtered: (reader) =>
    search(reader, ask("the handler", { filter: { include: { tags: ["t1"] }, exclude: {} }, sort: "title" })),
  phrase: (reader) => search(reader, ask('"leads to a handler" -absent', { limit: 3 })),
  synonym: (reader) => search(reader, ask("single sign-on", { limit: 3, explain: true })),
  misspelt: (reader) => search(reader, ask("cachng answrs", { limit: 3 })),
  beginning: (reader) => search(reader, ask("rou*", { limit: 30, offset: 5 })),
  suggest: (reader) => suggest(reader, { query: "dyn", limit: 5, collections: [] }, () => []),
  mistyped: (reader) => suggest(reader, { query: "cachig answ", limit: 5, collections: [] }, () => []),
  grep: (reader) => grep(reader, grepFor(makeLiteralPattern("handler number", false))),
  expression: (reader) => grep(reader, grepFor(compileExpression("use.outer|SSO+", true))),
  similar: (reader) =>
    findSimilar(reader, {
      content: "The cache keeps what a handler gave, whatever its number.",
      limit: 5,
      threshold: 0.1,
      collection: undefined,
    }),
  tree: (reader) => loadOutline(reader, DOCUMENT),
  nodes: async (reader) => {
    const outline = await loadOutline(reader, DOCUMENT);
    return outline && readSections(reader, outline, [0, 1, 2]);
  },
  passages: async (reader) => {
    const outlines = await resolveOutlines(reader, [DOCUMENT, "team:guide/page-9.md"], true);
    const wanted = outlines.flatMap((outline) =>
      outline === undefined ? [] : [{ outline, startLine: 3, endLine: 16, withFrontmatter: true }],
    );
    return readPassages(reader, wanted);
  },
  links: async (reader) => {
    const outline = await loadOutline(reader, DOCUMENT);
    return outline && loadLinks(reader, outline);
  },
  catalogue: (reader) => listDocuments(reader, { ...LIST, query: "page 1" }),
  nearest: (reader) => findNearestDocuments(reader, "guide/page-33.md", 4),
  status: async (reader) => [reader.generation, reader.collections],
};

const LIST = { query: "", collection: "", folder: "", filter: NO_FILTER, sort: "path", offset: 0, limit: 10 } as const;

function grepFor(pattern: Parameters<typeof grep>[1]["pattern"]): Parameters<typeof grep>[1] {
  return {
    pattern,
    collection: "",
    acceptsPath: () => true,
    filter: NO_FILTER,
    context: 1,
    offset: 0,
    limit: 20,
  };
}

/** Answers of the whole index, by the operation's name. */
export type Answers = ReadonlyMap<string, string>;

/** The answers to hold others against. @throws whatever an operation throws on a whole index. */
export async function answerAll(files: Files): Promise<Answers> {
  const answers = new Map<string, string>();
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const outcome = await outcomeOf(files, operation);
    if (typeof outcome !== "string") throw outcome;
    answers.set(name, outcome);
  }
  return answers;
}

/**
 * Ask a damaged index.
 *
 * @param names Operations to ask; all when absent.
 * @throws {Error} for an answer that differs, an error without a type, or an operation that does not end.
 */
export async function askDamaged(
  { what, files }: Fault,
  answers: Answers,
  names: readonly string[] = Object.keys(OPERATIONS),
): Promise<Outcomes> {
  const outcomes: Outcomes = { right: 0, FormatError: 0, StaleGenerationError: 0 };
  for (const name of names) {
    const started = performance.now();
    const outcome = await outcomeOf(files, OPERATIONS[name] as Operation);
    if (performance.now() - started > MOST_MS) throw new Error(`${what}: ${name} took longer than ${MOST_MS} ms`);
    if (outcome instanceof FormatError) outcomes.FormatError++;
    else if (outcome instanceof StaleGenerationError) outcomes.StaleGenerationError++;
    else if (outcome === answers.get(name)) outcomes.right++;
    else if (typeof outcome === "string") throw new Error(`${what}: ${name} answers otherwise: ${outcome.slice(0, 400)}`);
    else throw new Error(`${what}: ${name} fails without a type`, { cause: outcome });
  }
  return outcomes;
}

/** The answer as text, without what reading it cost, or the error that it ended with. */
async function outcomeOf(files: Files, operation: Operation): Promise<unknown> {
  try {
    const reader = await openPlainly(files);
    const answer = await operation(reader);
    return JSON.stringify(answer ?? null, (key, value: unknown) => (key === "cost" ? undefined : value));
  } catch (error) {
    return error;
  }
}

/** A cold reader that sees everything, over a source that does not wait. */
async function openPlainly(files: Files): Promise<IndexReader> {
  const source = createMemorySource(files);
  const pointer = await source.readPointer();
  if (pointer === undefined || pointer === "unchanged") throw new StaleGenerationError(POINTER_FILE);
  return new IndexReader(await openIndex(pointer.bytes, source, inflateRaw, new LruCache(CACHE_BYTES)), "all");
}

/** Where everything in the packs lies: chunks of both levels of all tables, and texts. */
export async function listPlaces({ open }: BuiltIndex): Promise<Place[]> {
  const { reader, index, source } = await open("all");
  await readWithResident(reader, ["locator"]);
  const places: Place[] = [];
  for (const [shard, { tables }] of index.root.shards.entries()) {
    for (const table of TABLE_NAMES) {
      const { height, entries } = tables[table];
      places.push(...entries);
      if (height === 0) continue;
      for (const entry of entries) {
        const { file, offset, length } = reader.rangeOf(entry);
        const bytes = await source.readRange(file, offset, length);
        const key = keyOfPack(index.root.packs[entry.pack] ?? "");
        const chunk = await decodeChunk(`${table}/directory`, entry.prefix, bytes, inflateRaw, key);
        places.push(...fromDirectoryChunk(chunk, table, index.root.packs.length));
      }
    }
    for (const located of residentTable(reader, shard, "locator")) {
      if (located !== undefined) for (const { block } of visitBlocks(located)) places.push(block);
    }
  }
  return places;
}

/** Files with one of them changed, or gone. */
export function withFile(files: Files, what: string, name: string, bytes: Uint8Array | undefined): Fault {
  const changed = new Map(files);
  if (bytes === undefined) changed.delete(name);
  else changed.set(name, bytes);
  return { what: `${what} ${name}`, files: changed };
}

/** The files whose every byte is tried: all but packs. */
export function smallFiles(files: Files): string[] {
  return [...files.keys()].filter((name) => !name.endsWith(".pack"));
}

/** A byte with one bit changed. */
export function flipBit(files: Files, name: string, at: number, bit: number): Fault {
  const bytes = (files.get(name) ?? new Uint8Array()).slice();
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  return withFile(files, `bit ${bit} of byte ${at} changed in`, name, bytes);
}

/** The first bytes of a file alone. */
export function cutFile(files: Files, name: string, length: number): Fault {
  return withFile(files, `only ${length} bytes left of`, name, files.get(name)?.slice(0, length));
}

/** Two files under each other's names. */
export function swapFiles(files: Files, one: string, other: string): Fault {
  const changed = new Map(files);
  changed.set(one, files.get(other) ?? new Uint8Array());
  changed.set(other, files.get(one) ?? new Uint8Array());
  return { what: `${one} and ${other} exchanged`, files: changed };
}

/** Two stretches of packs in each other's place; of a longer one as much as fits. */
export function swapPlaces(files: Files, packs: readonly string[], one: Place, other: Place): Fault {
  const changed = new Map(files);
  const nameOf = ({ pack }: Place): string => fileOfPack(packs[pack] ?? "");
  const bytesOf = (place: Place): Uint8Array =>
    (files.get(nameOf(place)) ?? new Uint8Array()).slice(place.offset, place.offset + place.length);
  for (const [to, from] of [
    [one, other],
    [other, one],
  ] as const) {
    const bytes = (changed.get(nameOf(to)) ?? new Uint8Array()).slice();
    bytes.set(bytesOf(from).subarray(0, to.length), to.offset);
    changed.set(nameOf(to), bytes);
  }
  const show = ({ pack, offset, length }: Place): string => `${length} bytes at ${pack}:${offset}`;
  return { what: `${show(one)} and ${show(other)} exchanged`, files: changed };
}

/** Bytes behind the end of a file. */
export function appendGarbage(files: Files, name: string, garbage: Uint8Array): Fault {
  const bytes = files.get(name) ?? new Uint8Array();
  const longer = new Uint8Array(bytes.length + garbage.length);
  longer.set(bytes);
  longer.set(garbage, bytes.length);
  return withFile(files, `${garbage.length} bytes more in`, name, longer);
}

/** Each pack of an index replaced by the pack of another one at the same place in its list. */
export function foreignPacks(files: Files, packs: readonly string[], other: Files, otherPacks: readonly string[]): Fault[] {
  return packs.map((listed, at) =>
    withFile(
      files,
      "a foreign file in the place of",
      fileOfPack(listed),
      other.get(fileOfPack(otherPacks[at] ?? "")),
    ),
  );
}

/** The version that the pointer, or the root inside it, says it has. */
export function withVersion(files: Files, version: number): Fault[] {
  const pointer = files.get(POINTER_FILE) ?? new Uint8Array();
  const newer = pointer.slice();
  newer[VERSION_AT] = version;
  const { rootBytes, ...names } = decodePointer(pointer);
  const newerRoot = rootBytes.slice();
  newerRoot[VERSION_AT] = version;
  return [
    withFile(files, `version ${version} in`, POINTER_FILE, newer),
    withFile(files, `a root of version ${version} in`, POINTER_FILE, encodePointer({ ...names, rootBytes: newerRoot })),
  ];
}

/** How much of what can be damaged is. */
export interface Thoroughness {
  /** Bits that are changed of every byte of a small file. */
  readonly bitsOfSmall: number;
  /** Of how many bytes of small files one is tried; 1 is all. */
  readonly stepOfSmall: number;
  /** Bytes of packs that are changed, drawn, beside those at the start of every chunk. */
  readonly packBytes: number;
  /** Bytes at the start of a chunk or block that are changed. */
  readonly headerBytes: number;
  /** Lengths to which each pack is cut, drawn. */
  readonly packCuts: number;
  /** Pairs of chunks or blocks that are exchanged, drawn; those of one length all. */
  readonly swaps: number;
}

/** Every kind of fault in an index of `buildMarked`, by a name of the kind. `other` has the same layout and other words. */
export async function* drawFaults(
  built: BuiltIndex,
  other: BuiltIndex,
  random: () => number,
  { bitsOfSmall, stepOfSmall, packBytes, headerBytes, packCuts, swaps }: Thoroughness,
): AsyncGenerator<readonly [kind: string, fault: Fault]> {
  const { files } = built;
  const { packs } = (await built.open("all")).index.root;
  const packFiles = packs.map(fileOfPack);
  const below = (limit: number): number => Math.floor(random() * limit);
  for (const name of smallFiles(files)) {
    const { length } = files.get(name) ?? new Uint8Array();
    for (let at = below(stepOfSmall); at < length; at += stepOfSmall) {
      for (let bit = 0; bit < bitsOfSmall; bit++) {
        yield ["bit of a small file", flipBit(files, name, at, bitsOfSmall === 8 ? bit : below(8))];
      }
      yield ["small file cut", cutFile(files, name, at)];
    }
  }
  const places = await listPlaces(built);
  const heads = places.flatMap((place) => Array.from({ length: headerBytes }, (_, at) => ({ ...place, at })));
  for (const { pack, offset, at } of shuffle(heads, random)) {
    yield ["start of a chunk", flipBit(files, packFiles[pack] as string, offset + at, below(8))];
  }
  for (let n = 0; n < packBytes; n++) {
    const name = packFiles[below(packFiles.length)] as string;
    yield ["bit of a pack", flipBit(files, name, below(files.get(name)?.length ?? 1), below(8))];
  }
  for (const name of packFiles) {
    for (let n = 0; n < packCuts; n++) yield ["pack cut", cutFile(files, name, below(files.get(name)?.length ?? 1))];
  }
  for (const name of files.keys()) {
    if (name !== POINTER_FILE) yield ["file gone", withFile(files, "without", name, undefined)];
    yield ["bytes behind the end", appendGarbage(files, name, Uint8Array.from({ length: 1 + below(64) }, () => below(256)))];
    for (const second of files.keys()) if (second > name) yield ["files exchanged", swapFiles(files, name, second)];
  }
  yield* foreignPacks(files, packs, other.files, (await other.open("all")).index.root.packs).map(
    (fault) => ["file of another index", fault] as const,
  );
  yield ["file of another index", withFile(files, "foreign", POINTER_FILE, other.files.get(POINTER_FILE))];
  for (const version of [0, 2, 255]) {
    for (const fault of withVersion(files, version)) yield ["other version", fault];
  }
  const pairs = places.flatMap((one, at) => places.slice(at + 1).map((second) => [one, second] as const));
  const twins = pairs.filter(([one, second]) => one.length === second.length);
  const drawn = [...shuffle(twins, random).slice(0, swaps), ...shuffle(pairs, random).slice(0, swaps)];
  for (const [one, second] of drawn) yield ["chunks exchanged", swapPlaces(files, packs, one, second)];
}

/** Faults of which every answer ends as it must: with an error for what nobody can read past. */
const REFUSED_WHOLE: ReadonlySet<string> = new Set(["other version"]);

/** What faults of one kind came to. */
export interface KindReport extends Outcomes {
  faults: number;
}

/**
 * Ask an index about every fault that is drawn.
 *
 * @param operations How many operations each fault is asked with; they take turns.
 * @throws {Error} as `askDamaged`, and for a kind of fault that should be refused and is not.
 */
export async function proveDamage(
  seed: number,
  thoroughness: Thoroughness,
  operations: number,
): Promise<ReadonlyMap<string, KindReport>> {
  const random = makeRandom(seed);
  const built = await buildMarked("lark");
  const answers = await answerAll(built.files);
  const names = Object.keys(OPERATIONS);
  const reports = new Map<string, KindReport>();
  let turn = 0;
  for await (const [kind, fault] of drawFaults(built, await buildMarked("crow"), random, thoroughness)) {
    const asked = Array.from({ length: operations }, () => names[turn++ % names.length] as string);
    const outcomes = await askDamaged(fault, answers, asked);
    if (REFUSED_WHOLE.has(kind) && outcomes.right > 0) throw new Error(`${fault.what}: was read all the same`);
    const report = reports.get(kind) ?? { faults: 0, right: 0, FormatError: 0, StaleGenerationError: 0 };
    report.faults++;
    for (const outcome of Object.keys(outcomes) as (keyof Outcomes)[]) report[outcome] += outcomes[outcome];
    reports.set(kind, report);
  }
  return reports;
}
