/**
 * All names of symbols in the order in which they are found, kept for a generation: what patterns go through that can begin
 * anywhere, `*` and `*node*`. Reading and ordering a hundred thousand names takes half a second, going through them some
 * milliseconds.
 *
 * Pure apart from the reader's I/O.
 */
import { SYMBOL_KINDS, type SymbolKind } from "../format/symbol-kinds.ts";
import type { IndexReader, TableRead } from "../index/index-reader.ts";
import { foldCase } from "../text/fold-case.ts";
import { type ListedFile, readWithFiles } from "./file-list.ts";
import { type Candidate, readEveryName } from "./name-candidates.ts";
import { matchesAll, matchPattern, type NamePattern } from "./name-query.ts";

/** Names that a caller sees. Arrays have an entry for each. */
interface EveryName {
  /** All of them, folded, one behind the other. */
  readonly text: string;
  /** Where each ends in it. */
  readonly ends: Uint32Array;
  readonly shards: Uint16Array;
  readonly files: Uint32Array;
  readonly symbols: Uint32Array;
  /** Index of the kind, with `EXPORTED` where it is exported. */
  readonly kinds: Uint8Array;
  readonly ranks: Uint8Array;
  /** Whether all were read. */
  readonly isComplete: boolean;
}

/** Symbols whose names a pattern means. */
export interface PatternMatches {
  readonly total: number;
  readonly isComplete: boolean;
  /** Those of the page, in the order of all. Their names are folded. */
  readonly page: readonly Candidate[];
}

/** Which symbols are wanted. */
export interface PatternRequest {
  readonly pattern: NamePattern;
  readonly isKindWanted: (kind: SymbolKind, exported: boolean) => boolean;
  /** Absent where files do not matter. */
  readonly isFileWanted: ((file: ListedFile | undefined) => boolean) | undefined;
  readonly offset: number;
  readonly limit: number;
  /** What is read in the same wave: it is in memory then. */
  readonly beside: readonly TableRead[];
}

const EXPORTED = 128;
const KEPT_NAME = "names";
const MATCH = { tier: "pattern", extra: 0, inOrder: true } as const;

/** Symbols with names that fit a pattern. @param compare The order of all, in which one name of a symbol follows another. */
export async function findByPattern(
  reader: IndexReader,
  request: PatternRequest,
  compare: (a: Candidate, b: Candidate) => number,
): Promise<PatternMatches> {
  const { pattern, isKindWanted, isFileWanted, offset, limit } = request;
  const every = await loadEveryName(reader, request, compare);
  const lists = isFileWanted && (await readWithFiles(reader, [])).lists;
  const isWanted = once((shard, file) => isFileWanted?.(lists?.get(shard)?.[file]) !== false);
  const { text, ends, shards, files, symbols, kinds, ranks, isComplete } = every;
  reader.countScored(ends.length);
  const wantedKinds = Array.from({ length: 2 * EXPORTED }, (_, byte) => {
    const kind = SYMBOL_KINDS[byte & ~EXPORTED];
    return kind !== undefined && isKindWanted(kind, (byte & EXPORTED) !== 0);
  });
  const isAll = matchesAll(pattern);
  const page: Candidate[] = [];
  let total = 0;
  let last = -1;
  for (let at = 0; at < ends.length; at++) {
    // A symbol that is exported under other names stands behind itself.
    const isLast =
      last >= 0 && symbols[at] === symbols[last] && files[at] === files[last] && shards[at] === shards[last];
    if (isLast || wantedKinds[kinds[at] as number] !== true) continue;
    const shard = shards[at] as number;
    const file = files[at] as number;
    if (!isWanted(shard, file)) continue;
    const begin = at === 0 ? 0 : (ends[at - 1] as number);
    if (!isAll && !matchPattern(pattern, text.slice(begin, ends[at]))) continue;
    last = at;
    total++;
    if (total <= offset || total > offset + limit) continue;
    const kind = kinds[at] as number;
    page.push({
      shard,
      file,
      symbol: symbols[at] as number,
      kind: SYMBOL_KINDS[kind & ~EXPORTED] as SymbolKind,
      exported: (kind & EXPORTED) !== 0,
      rank: ranks[at] as number,
      name: text.slice(begin, ends[at]),
      match: MATCH,
    });
  }
  return { total, isComplete, page };
}

/** The same verdict on a file without asking again. */
function once(isWanted: (shard: number, file: number) => boolean): (shard: number, file: number) => boolean {
  const known: boolean[][] = [];
  return (shard, file) => {
    known[shard] ??= [];
    const verdicts = known[shard] as boolean[];
    verdicts[file] ??= isWanted(shard, file);
    return verdicts[file];
  };
}

async function loadEveryName(
  reader: IndexReader,
  { isFileWanted, beside }: PatternRequest,
  compare: (a: Candidate, b: Candidate) => number,
): Promise<EveryName> {
  const withFiles = isFileWanted !== undefined;
  const known = reader.recallKept(KEPT_NAME) as EveryName | undefined;
  if (known !== undefined) {
    if (withFiles) await readWithFiles(reader, beside);
    else if (beside.length > 0) await reader.read(beside);
    return known;
  }
  const { list, isComplete } = await readEveryName(reader, MATCH, { withFiles, beside });
  const made = toEveryName([...list].sort(compare), isComplete);
  const { text, ends, shards, files, symbols, kinds, ranks } = made;
  const arrays = [ends, shards, files, symbols, kinds, ranks];
  reader.keep(KEPT_NAME, made, 2 * text.length + arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  return made;
}

function toEveryName(list: readonly Candidate[], isComplete: boolean): EveryName {
  const folded = list.map(({ name }) => foldCase(name));
  let end = 0;
  return {
    text: folded.join(""),
    ends: Uint32Array.from(folded, ({ length }) => {
      end += length;
      return end;
    }),
    shards: Uint16Array.from(list, ({ shard }) => shard),
    files: Uint32Array.from(list, ({ file }) => file),
    symbols: Uint32Array.from(list, ({ symbol }) => symbol),
    kinds: Uint8Array.from(list, ({ kind, exported }) => SYMBOL_KINDS.indexOf(kind) | (exported ? EXPORTED : 0)),
    ranks: Uint8Array.from(list, ({ rank }) => rank),
    isComplete,
  };
}
