/**
 * Names that complete what somebody typed: of symbols, or of the members of a container, those it inherits among them.
 * One wave; further ones to read bases, and paths of more than two names.
 */
import { isExported, isPublic, type SymbolKind, withoutOrdinal } from "../format/code-model.ts";
import { comparePlaces } from "../format/name-list.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { compareNames } from "../text/names.ts";
import { foldCase } from "../text/normalize.ts";
import { findSymbols } from "./find-symbols.ts";
import { inheritedMembers } from "./hierarchy.ts";
import { loadFile, loadSymbols, symbolAt } from "./load-files.ts";
import type { LoadedFile, LoadedSymbol } from "./model.ts";
import { type Candidate, findCandidates } from "./name-candidates.ts";
import { splitQualified } from "./name-query.ts";
import { completeExports } from "./packages.ts";
import { standsApart } from "./resolve-symbol.ts";

/** What is completed. What is absent does not limit. */
interface CompletionRequest {
  /** The beginning of a name, `Container.`, or `Container.` and the beginning of a member's name. */
  readonly prefix: string;
  readonly kinds?: readonly SymbolKind[];
  /** Names that this source file declares. */
  readonly documentId?: string;
  readonly limit: number;
}

/** With the name of the base that declares it, where the container has it from there. */
type Completing = Candidate & { readonly inheritedFrom?: string };

/** Symbols whose whole path is compared with what was typed. */
const MAX_COMPARED = 200;
/** Containers of the typed name that are looked at. */
const MAX_CONTAINERS = 10;
const PATTERN = { tier: "pattern", extra: 0, inOrder: true } as const;

/** Names that complete a prefix, best first, and how many there are. Of several containers of one name the best; `others` has the rest. */
export async function completeSymbols(reader: IndexReader, { prefix, kinds, documentId, limit }: CompletionRequest) {
  const { segments, separators } = splitQualified(prefix.trim());
  const typed = segments.slice(-2).join(".");
  const found =
    documentId === undefined
      ? await findCandidates(reader, {
          // A pattern, so that nothing but names that begin so are read.
          query: {
            kind: "pattern",
            written: "",
            pattern: { segments: [foldCase(typed), ""], isQualified: segments.length > 1, part: "" },
          },
          exactOnly: false,
          most: Number.POSITIVE_INFINITY,
          withFiles: false,
        })
      : { list: await candidatesIn(reader, documentId, typed, segments.length > 1), isComplete: true };
  const all = segments.length > 2 ? await inPath(reader, found.list, segments.slice(0, -1)) : found.list;
  const containers = documentId === undefined ? await containersOf(reader, segments) : [];
  const has = (container: LoadedSymbol, { shard, file }: Candidate): boolean =>
    standsApart(container) || (container.shard === shard && container.file === file);
  const filled = containers.filter((container) => all.some((candidate) => has(container, candidate)));
  const [container = containers[0], ...others] = filled;
  const own = filled.length > 1 ? all.filter((candidate) => container && has(container, candidate)) : all;
  const inherited = container === undefined ? [] : await inheritedCandidates(reader, container, segments, own);
  const isQualified = documentId === undefined && segments.length > 1;
  const given = isQualified ? await givenCandidates(reader, prefix.trim(), segments) : [];
  const ordered = [given, own, inherited].flatMap((list) => inOrder(list, kinds, typed));
  const outer = segments
    .slice(0, -2)
    .map((name, at) => `${name}${separators[at]}`)
    .join("");
  const toLabel = (name: string): string =>
    segments.length < 2 ? name : `${outer}${name.replace(".", separators.at(-1) as string)}`;
  return {
    total: ordered.length,
    isComplete: found.isComplete,
    others,
    completions: ordered.slice(0, limit).map(({ name, kind, exported, count, shard, file, symbol, inheritedFrom }) => ({
      // What was typed, in the case of the names, and the rest.
      label: toLabel(name),
      kind,
      exported,
      // Symbols of that name and kind, and the place of the best of them.
      count,
      place: { shard, file, symbol },
      ...(inheritedFrom !== undefined && { inheritedFrom }),
    })),
  };
}

/** One of each name and kind with the number of them, best first. */
function inOrder(
  candidates: readonly Completing[],
  kinds: readonly SymbolKind[] | undefined,
  typed: string,
): (Completing & { readonly count: number })[] {
  const best = new Map<string, Completing & { count: number }>();
  for (const candidate of [...candidates].sort((a, b) => comparePlaces(a, b) || a.shard - b.shard)) {
    if (kinds !== undefined && !kinds.includes(candidate.kind)) continue;
    const name = `${candidate.kind} ${candidate.name}`;
    const known = best.get(name);
    if (known === undefined) best.set(name, { ...candidate, count: 1 });
    else known.count++;
  }
  const isTyped = ({ name }: Candidate): number => Number(name.startsWith(typed));
  return [...best.values()].sort(
    (a, b) =>
      isTyped(b) - isTyped(a) ||
      comparePlaces({ ...a, file: 0, symbol: 0 }, { ...b, file: 0, symbol: 0 }) ||
      a.name.length - b.name.length ||
      compareNames(a.name, b.name),
  );
}

async function candidatesIn(
  reader: IndexReader,
  documentId: string,
  typed: string,
  isQualified: boolean,
): Promise<Candidate[]> {
  const loaded = await loadFile(reader, documentId);
  const beginning = foldCase(typed);
  return (loaded?.record.symbols ?? []).flatMap(({ name, parent }, at) => {
    const label = isQualified ? `${loaded?.record.symbols[parent]?.name ?? ""}.${name}` : name;
    return foldCase(label).startsWith(beginning) ? [toCandidate(symbolAt(loaded as LoadedFile, at), label)] : [];
  });
}

function toCandidate({ shard, file, symbol, record, inFile }: LoadedSymbol, name: string): Candidate {
  const { kind, rank } = record;
  const exported = isExported(inFile.language, inFile.symbols, record);
  const given = isPublic(inFile.language, inFile.symbols, record);
  return { shard, file, symbol, kind, rank, exported, isPublic: given, name, match: PATTERN };
}

/** Those of some candidates that stand in containers of these names: names are known by two segments alone. */
async function inPath(
  reader: IndexReader,
  candidates: readonly Candidate[],
  containers: readonly string[],
): Promise<Candidate[]> {
  const compared = candidates.slice(0, MAX_COMPARED);
  const symbols = await loadSymbols(reader, compared);
  const wanted = foldCase(containers.join("."));
  return compared.filter((_, at) => {
    const { record } = symbols[at] as LoadedSymbol;
    const around = foldCase(withoutOrdinal(record.path)).slice(0, -record.name.length - 1);
    return around === wanted || around.endsWith(`.${wanted}`);
  });
}

/** What the names before the last one mean, best first. */
async function containersOf(reader: IndexReader, segments: readonly string[]): Promise<readonly LoadedSymbol[]> {
  const query = segments.slice(0, -1).join(".");
  if (query === "") return [];
  const request = { query, exactOnly: true, offset: 0, limit: MAX_CONTAINERS };
  const { symbols } = await findSymbols(reader, request);
  const exact = symbols.filter(({ match }) => match === "exact" || match === "qualified");
  return exact.length > 0 ? exact : symbols;
}

/** What the module gives that was typed in front: `zod.`, `z.` */
async function givenCandidates(reader: IndexReader, text: string, segments: readonly string[]): Promise<Candidate[]> {
  const found = await completeExports(reader, text, MAX_COMPARED);
  return found.flatMap(({ name, symbol }) =>
    symbol === undefined ? [] : [toCandidate(symbol, `${segments.at(-2)}.${name}`)],
  );
}

/** Members that the container has of its bases and does not declare itself. */
async function inheritedCandidates(
  reader: IndexReader,
  type: LoadedSymbol,
  segments: readonly string[],
  own: readonly Candidate[],
): Promise<Completing[]> {
  const known = new Set(own.map(({ name }) => name));
  const member = foldCase(segments.at(-1) as string);
  const found: Completing[] = [];
  for await (const level of inheritedMembers(reader, type)) {
    const added = level.flatMap((one): Completing[] => {
      const name = `${type.record.name}.${one.record.name}`;
      if (known.has(name) || !foldCase(one.record.name).startsWith(member)) return [];
      return [{ ...toCandidate(one, name), inheritedFrom: one.inFile.symbols[one.record.parent]?.name ?? "" }];
    });
    found.push(...added);
    for (const { name } of added) known.add(name);
  }
  return found;
}
