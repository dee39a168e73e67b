/**
 * Edges that a compiler is sure of, in place of our own and beside them.
 *
 * Definitions are joined to symbols by their place, references to edges by theirs. What a place does (calls, reads, names
 * a type) is what our own parse says of it: compilers' indexes tell what is named, not why. A guess of ours at a place
 * that leads out of the corpus for the compiler is taken away. Pure.
 */
import type { CodePosition, EdgeRecord } from "../../../src/core/format/code-records.ts";
import type { PreciseDocument } from "../../scip/place-document.ts";
import { type CodeWorld, type Entity, isContainer, isOnlyType, NOTHING, pickSymbol } from "./code-world.ts";
import { isMadeByCall, isTypeUse, sortEdges } from "./link-edges.ts";
import { addImplementations } from "./precise-bases.ts";
import {
  createPreciseTargets,
  keyOfPlace,
  type PreciseFacts,
  type PreciseTargets,
  symbolOfEdge,
  targetOfSymbol,
} from "./precise-targets.ts";

type Edges = readonly EdgeRecord[];
type Source = CodeWorld["files"][number]["code"];

/** What may stand at one place: one name can be several symbols, such as a type and a value. */
interface Place {
  readonly at: CodePosition;
  readonly symbols: string[];
  isWrite: boolean;
}

/** The edges of all files, those out of files of `facts` corrected and completed. */
export function addPreciseEdges(
  world: CodeWorld,
  edges: readonly Edges[],
  facts: PreciseFacts,
): readonly Edges[] {
  const targets = createPreciseTargets(world, facts);
  const result = [...edges];
  for (const { file, document } of targets.documents) {
    const linked = linkReferences(world, targets, file, document, result[file] as Edges);
    result[file] = sortEdges(addImplementations(world, targets, file, document, linked));
  }
  return result;
}

function linkReferences(
  world: CodeWorld,
  targets: PreciseTargets,
  file: number,
  document: PreciseDocument,
  own: Edges,
): EdgeRecord[] {
  const { code } = world.files[file] as CodeWorld["files"][number];
  const uses = new Map(code.uses.map((use) => [keyOfPlace(use.at), use]));
  const imports = new Map(code.imports.map((entry) => [keyOfPlace(entry.at), entry]));
  const places = groupByPlace(document);
  const importedFiles = new Set<number>();
  /** What each place that is joined leads to; `NOTHING` where it leads out of the corpus. */
  const entities = new Map<string, Entity>();
  const added: EdgeRecord[] = [];
  const linkedPlaces = new Set(own.filter(isReplaceable).map(({ at }) => keyOfPlace(at)));
  const ownTargets = new Map(own.filter(isReplaceable).map((edge) => [keyOfPlace(edge.at), symbolOfEdge(world, edge)]));
  for (const [key, { at, symbols, isWrite }] of places) {
    const found = symbols.flatMap((symbol) => targets.entitiesOf(symbol));
    for (const entity of found) {
      const imported = world.asFile(entity);
      if (imported >= 0) importedFiles.add(imported);
    }
    const use = uses.get(key);
    const isSuper = use?.target.root.kind === "super";
    const among = found
      .filter((entity) => world.asFile(entity) < 0)
      .map((entity) => (isSuper ? entity : classOfConstructor(world, entity)));
    if (among.length === 0) {
      if (found.length === 0 && symbols.every((symbol) => targets.isElsewhere(symbol))) entities.set(key, NOTHING);
      continue;
    }
    const ownTarget = ownTargets.get(key);
    const wantType = use !== undefined && isTypeUse(use.kind);
    const entity =
      ownTarget !== undefined && among.includes(ownTarget) ? ownTarget : pickSymbol(world, [...new Set(among)], wantType);
    entities.set(key, entity);
    if (linkedPlaces.has(key) || isOwnName(world, entity, file, at)) continue;
    const entry = imports.get(key);
    const to = targetOfSymbol(world, entity);
    if (entry !== undefined) {
      const { kind, typeOnly, from } = entry;
      added.push({ kind, tier: "precise", typeOnly, from, at, to });
    } else if (use !== undefined) {
      const kind = use.kind === "calls" && !isSuper && isMadeByCall(world, entity) ? "instantiates" : use.kind;
      added.push({ kind, tier: "precise", typeOnly: use.typeOnly, from: use.from, at, to });
    } else {
      const isTyping = isOnlyType(world.symbol(entity));
      const kind = isWrite ? "writes" : isTyping ? "type" : "reads";
      added.push({ kind, tier: "precise", typeOnly: isTyping, from: innermostAt(code, at), at, to });
    }
  }
  const kept = own.flatMap((edge): Edges => {
    const entity = isReplaceable(edge) ? entities.get(keyOfPlace(edge.at)) : undefined;
    if (entity === undefined) return [isImportOf(edge, importedFiles) ? { ...edge, tier: "precise" } : edge];
    if (entity === NOTHING) return edge.tier === "name" ? [] : [edge];
    const isSuper = uses.get(keyOfPlace(edge.at))?.target.root.kind === "super";
    const isCall = (edge.kind === "calls" || edge.kind === "instantiates") && !isSuper;
    const kind = isCall ? (isMadeByCall(world, entity) ? "instantiates" : "calls") : edge.kind;
    return [{ ...edge, kind, tier: "precise", to: targetOfSymbol(world, entity) }];
  });
  return [...kept, ...added];
}

/** Whether a reference at the edge's place says where it leads: it names a symbol there. */
function isReplaceable({ kind, to }: EdgeRecord): boolean {
  return kind !== "overrides" && "file" in to && to.symbol >= 0;
}

/** Whether the edge is the import of one of these files as a whole. */
function isImportOf({ kind, to }: EdgeRecord, files: ReadonlySet<number>): boolean {
  return (kind === "imports" || kind === "reexports") && "file" in to && to.symbol < 0 && files.has(to.file);
}

function groupByPlace({ references }: PreciseDocument): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { symbol, at, isWrite } of references) {
    const key = keyOfPlace(at);
    const place = places.get(key);
    if (place === undefined) places.set(key, { at, symbols: [symbol], isWrite });
    else {
      place.symbols.push(symbol);
      place.isWrite ||= isWrite;
    }
  }
  return places;
}

/** `new Store()` names a constructor for some compilers; for us, as for readers, it makes a `Store`. */
function classOfConstructor(world: CodeWorld, entity: Entity): Entity {
  const { kind, parent } = world.symbol(entity);
  if (kind !== "constructor" || parent < 0) return entity;
  const container = (world.first[world.fileOf(entity)] as number) + parent;
  return isContainer(world.symbol(container)) ? container : entity;
}

function isOwnName(world: CodeWorld, entity: Entity, file: number, at: CodePosition): boolean {
  return world.fileOf(entity) === file && keyOfPlace(world.symbol(entity).at) === keyOfPlace(at);
}

/** The innermost symbol of a file that a place lies in, -1 for none. */
function innermostAt({ symbols }: Source, at: CodePosition): number {
  let innermost = -1;
  for (const [index, { start, end }] of symbols.entries()) {
    if (isBefore(at, start) || !isBefore(at, end)) continue;
    const best = symbols[innermost];
    if (best === undefined || !isBefore(start, best.start)) innermost = index;
  }
  return innermost;
}

function isBefore(a: CodePosition, b: CodePosition): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}
