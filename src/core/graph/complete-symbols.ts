/**
 * Names that complete what somebody typed: of symbols, or of the members of a container. One wave.
 *
 * Pure apart from the reader's I/O.
 */
import { isExported } from "../format/is-exported.ts";
import { comparePlaces } from "../format/name-list.ts";
import type { SymbolKind } from "../format/symbol-kinds.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { compareNames } from "../text/compare-names.ts";
import { foldCase } from "../text/fold-case.ts";
import { loadFile } from "./load-files.ts";
import type { SymbolPlace } from "./model.ts";
import { type Candidate, findCandidates } from "./name-candidates.ts";

/** What is completed. What is absent does not limit. */
export interface CompletionRequest {
  /** The beginning of a name, `Container.`, or `Container.` and the beginning of a member's name. */
  readonly prefix: string;
  readonly kinds?: readonly SymbolKind[];
  /** Names that this source file declares. */
  readonly documentId?: string;
  readonly limit: number;
}

/** A name that completes it. */
export interface Completion {
  /** As written; of a member with its container. */
  readonly label: string;
  readonly kind: SymbolKind;
  readonly exported: boolean;
  /** Symbols of that name and kind. */
  readonly count: number;
  /** The best of them. */
  readonly place: SymbolPlace;
}

/** Names that complete a prefix, best first, and how many there are. */
export async function completeSymbols(
  reader: IndexReader,
  { prefix, kinds, documentId, limit }: CompletionRequest,
): Promise<{ readonly total: number; readonly isComplete: boolean; readonly completions: readonly Completion[] }> {
  const segments = prefix.trim().split(/[.#]|::/);
  const typed = segments.slice(-2).join(".");
  const found =
    documentId === undefined
      ? await findCandidates(reader, {
          // A pattern, so that nothing but names that begin so are read.
          query: {
            kind: "pattern",
            pattern: { segments: [foldCase(typed), ""], isQualified: segments.length > 1, part: "" },
          },
          exactOnly: false,
          most: Number.POSITIVE_INFINITY,
          withFiles: false,
        })
      : { list: await candidatesIn(reader, documentId, typed, segments.length > 1), isComplete: true };
  const best = new Map<string, Candidate & { count: number }>();
  for (const candidate of [...found.list].sort((a, b) => comparePlaces(a, b) || a.shard - b.shard)) {
    if (kinds !== undefined && !kinds.includes(candidate.kind)) continue;
    const name = `${candidate.kind} ${candidate.name}`;
    const known = best.get(name);
    if (known === undefined) best.set(name, { ...candidate, count: 1 });
    else known.count++;
  }
  const isTyped = ({ name }: Candidate): number => Number(name.startsWith(typed));
  const ordered = [...best.values()].sort(
    (a, b) =>
      isTyped(b) - isTyped(a) ||
      comparePlaces({ ...a, file: 0, symbol: 0 }, { ...b, file: 0, symbol: 0 }) ||
      a.name.length - b.name.length ||
      compareNames(a.name, b.name),
  );
  return {
    total: ordered.length,
    isComplete: found.isComplete,
    completions: ordered.slice(0, limit).map(({ name, kind, exported, count, shard, file, symbol }) => ({
      label: name,
      kind,
      exported,
      count,
      place: { shard, file, symbol },
    })),
  };
}

async function candidatesIn(
  reader: IndexReader,
  documentId: string,
  typed: string,
  isQualified: boolean,
): Promise<Candidate[]> {
  const loaded = await loadFile(reader, documentId);
  if (loaded === undefined) return [];
  const { shard, file, record } = loaded;
  const match = { tier: "pattern", extra: 0, inOrder: true } as const;
  return record.symbols.flatMap((own, symbol) => {
    const { name, kind, rank, parent } = own;
    const container = record.symbols[parent]?.name;
    const label = isQualified ? `${container ?? ""}.${name}` : name;
    if (!foldCase(label).startsWith(foldCase(typed))) return [];
    const exported = isExported(record.language, record.symbols, own);
    return [{ shard, file, symbol, kind, exported, rank, name: label, match }];
  });
}
