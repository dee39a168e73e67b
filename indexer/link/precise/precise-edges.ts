/**
 * Edges that a compiler is sure of, in place of our own and beside them.
 *
 * Definitions are joined to symbols by their place, references to edges by theirs. What a place does (calls, reads, names
 * a type) is what our own parse says of it: compilers' indexes tell what is named, not why. A guess of ours at a place
 * that leads out of the corpus for the compiler is taken away.
 */
import { type CodePosition, type EdgeRecord, type EdgeTarget, isBefore } from "../../../src/core/format/code-model.ts";
import type { CodeFile } from "../../languages/base/code-file.ts";
import type {
  CodeWorld,
  Entity,
  PreciseDefinition,
  PreciseDocument,
  PreciseFacts,
  PreciseReference,
} from "../../languages/base/language.ts";
import {
  addToList,
  isContainer,
  isOnlyType,
  isType,
  NOTHING,
  otherMembers,
  pickSymbol,
} from "../../languages/base/world.ts";
import { isMadeByCall, isTypeUse, sortEdges } from "../code/link-edges.ts";

type PreciseTargets = ReturnType<typeof createPreciseTargets>;

/** Join all definitions. */
function createPreciseTargets(world: CodeWorld, { documents, leftOut }: PreciseFacts) {
  const numbers = new Map(world.files.map(({ id }, file) => [id, file]));
  const own = documents.flatMap((document) => {
    const file = numbers.get(document.id);
    return file === undefined ? [] : [{ file, document }];
  });
  const entities = new Map<string, Entity[]>();
  const implemented = new Map<string, readonly string[]>();
  for (const { file, document } of own) {
    const join = createJoin(world, file);
    for (const definition of document.definitions) {
      const entity = join(definition);
      if (entity !== NOTHING) addToList(entities, definition.symbol, entity);
    }
    for (const { symbol, of } of document.implementations) implemented.set(symbol, of);
  }
  return {
    /** Documents of files of this world. */
    documents: own,
    /** Symbols and files that a symbol is here: several for overloads and merged declarations, none where it is not joined. */
    entitiesOf: (symbol: string): readonly Entity[] => entities.get(symbol) ?? [],
    /** Whether nothing is known of the symbol; others without an entity are none of the index. */
    isUnknown: (symbol: string): boolean => leftOut.has(symbol),
    /** Symbols that a symbol implements, as the index says. */
    implementedBy: (symbol: string): readonly string[] => implemented.get(symbol) ?? [],
  };
}

/** Finds what is defined at places of a file: a name at the place, else in it. */
function createJoin(world: CodeWorld, file: number): (definition: PreciseDefinition) => Entity {
  const { symbols } = world.codeOf(file);
  const first = world.first[file] as number;
  const byName = new Map<string, number>();
  const byLine = new Map<number, number[]>();
  for (const [index, { at }] of symbols.entries()) {
    if (!byName.has(keyOfPlace(at))) byName.set(keyOfPlace(at), index);
    addToList(byLine, at.line, index);
  }
  return ({ start, end }) => {
    const isEmpty = keyOfPlace(start) === keyOfPlace(end);
    if (isEmpty && start.line === 1 && start.column === 1) return world.fileEntity(file);
    const named = byName.get(keyOfPlace(start));
    if (named !== undefined) return first + named;
    // A quoted name begins inside of its quotes for one and with them for the other.
    const within = (byLine.get(start.line) ?? []).filter((index) => {
      const { column } = (symbols[index] as (typeof symbols)[number]).at;
      return start.line === end.line && column > start.column && column < end.column;
    });
    return within.length === 1 ? first + (within[0] as number) : NOTHING;
  };
}

/** A place as a key of maps. */
function keyOfPlace({ line, column }: CodePosition): string {
  return `${line}:${column}`;
}

function targetOfSymbol(world: CodeWorld, entity: Entity): EdgeTarget {
  const file = world.fileOf(entity);
  return { file, symbol: entity - (world.first[file] as number) };
}

/** Symbol that an edge leads to; `NOTHING` where it leads to a file or out of the group. */
function symbolOfEdge(world: CodeWorld, { to }: EdgeRecord): Entity {
  return "file" in to && to.symbol >= 0 ? (world.first[to.file] as number) + to.symbol : NOTHING;
}

const OF_TYPES: ReadonlySet<Kind> = new Set(["extends", "implements"]);

const OF_MEMBERS: ReadonlySet<Kind> = new Set(["overrides"]);

type Edges = readonly EdgeRecord[];

/** What may stand at one place: one name can be several symbols, such as a type and a value. */
interface Place extends Omit<PreciseReference, "symbol"> {
  readonly symbols: string[];
}

/** A place with the one symbol that it leads to; `NOTHING` where that is none of the corpus. */
interface ResolvedPlace extends Omit<Place, "symbols"> {
  readonly entity: Entity;
  /** Members of other types that it means as well: one of a union is a member of each. */
  readonly others: readonly Entity[];
  /** Whether it calls the constructor of a base: `super(…)`. */
  readonly isSuper: boolean;
}

/** The edges of all files, those out of files of `facts` corrected and completed. Of two documents of a file the first counts. */
export function addPreciseEdges(world: CodeWorld, edges: readonly Edges[], facts: PreciseFacts): readonly Edges[] {
  const targets = createPreciseTargets(world, facts);
  const result = [...edges];
  const linked = new Set<number>();
  for (const { file, document } of targets.documents) {
    if (linked.has(file)) continue;
    linked.add(file);
    const ofReferences = linkReferences(world, targets, file, document, result[file] as Edges);
    result[file] = sortEdges(addImplementations(world, targets, file, document, ofReferences));
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
  const code = world.codeOf(file);
  const uses = new Map(code.uses.map((use) => [keyOfSide(use), use]));
  const ownTargets = new Map(
    own.filter(isReplaceable).map((edge) => [keyOfSide(sideOfEdge(edge)), symbolOfEdge(world, edge)]),
  );
  const { places, files } = resolvePlaces(world, targets, document, uses, ownTargets);
  const answered = new Set<string>();
  const kept = own.flatMap((edge): Edges => {
    // An index may not tell the sides of a short form apart.
    const key = isReplaceable(edge) ? sidesOf(edge).find((one) => places.has(one)) : undefined;
    const place = key === undefined ? undefined : places.get(key);
    if (key === undefined || place === undefined)
      return [leadsToFile(edge, files) ? { ...edge, tier: "precise" } : edge];
    answered.add(key);
    const { entity, isSuper } = place;
    if (entity === NOTHING) return edge.tier === "name" ? [] : [edge];
    const isCall = (edge.kind === "calls" || edge.kind === "instantiates") && !isSuper;
    const kind = isCall ? callOf(world, entity) : edge.kind;
    return withOthers(world, { ...edge, kind, tier: "precise", to: targetOfSymbol(world, entity) }, place);
  });
  const linkedLines = new Set(own.map((edge) => keyOnLine(edge.at, symbolOfEdge(world, edge))));
  const imports = new Map(code.imports.map((entry) => [keyOfPlace(entry.at), entry]));
  const added: EdgeRecord[] = [];
  for (const [key, place] of places) {
    const { at, entity, isSuper, isWrite, short: form } = place;
    if (entity === NOTHING || answered.has(key) || (form === undefined && isOwnName(world, entity, file, at))) continue;
    const edge = {
      tier: "precise",
      at,
      to: targetOfSymbol(world, entity),
      ...(form !== undefined && { form }),
    } as const;
    const entry = imports.get(key);
    const use = uses.get(key);
    if (entry !== undefined) {
      const { kind, typeOnly, from } = entry;
      added.push({ ...edge, kind, typeOnly, from });
    } else if (use !== undefined) {
      const kind = use.kind === "calls" && !isSuper ? callOf(world, entity) : use.kind;
      added.push(...withOthers(world, { ...edge, kind, typeOnly: use.typeOnly, from: use.from }, place));
    } else if (!linkedLines.has(keyOnLine(at, entity))) {
      const typeOnly = isOnlyType(world.symbol(entity));
      const kind = isWrite ? "writes" : typeOnly ? "type" : "reads";
      added.push(...withOthers(world, { ...edge, kind, typeOnly, from: innermostAt(code, at) }, place));
    }
  }
  return [...kept, ...added];
}

/** The symbols at all places that are joined, and the files that are named as a whole at any. */
function resolvePlaces(
  world: CodeWorld,
  targets: PreciseTargets,
  document: PreciseDocument,
  uses: ReadonlyMap<string, CodeFile["uses"][number]>,
  ownTargets: ReadonlyMap<string, Entity>,
): { readonly places: ReadonlyMap<string, ResolvedPlace>; readonly files: ReadonlySet<number> } {
  const files = new Set<number>();
  const places = new Map<string, ResolvedPlace>();
  for (const [key, { symbols, ...place }] of groupByPlace(document)) {
    const use = uses.get(key);
    const isSuper = use?.target.root.kind === "super" && use.target.members.length === 0;
    const found = symbols.flatMap((symbol) => targets.entitiesOf(symbol));
    const among = new Set<Entity>();
    for (const entity of found) {
      const named = world.asFile(entity);
      if (named >= 0) files.add(named);
      else among.add(isSuper ? entity : classOfConstructor(world, entity));
    }
    if (among.size > 0) {
      const own = ownTargets.get(key);
      const wantType = use !== undefined && isTypeUse(use.kind);
      const entity = own !== undefined && among.has(own) ? own : pickSymbol(world, [...among], wantType);
      places.set(key, { ...place, isSuper, entity, others: otherMembers(world, entity, among) });
    } else if (found.length === 0 && !symbols.some((symbol) => targets.isUnknown(symbol))) {
      places.set(key, { ...place, isSuper, entity: NOTHING, others: [] });
    }
  }
  return { places, files };
}

function withOthers(world: CodeWorld, edge: EdgeRecord, { others }: ResolvedPlace): EdgeRecord[] {
  return [edge, ...others.map((other) => ({ ...edge, to: targetOfSymbol(world, other) }))];
}

function callOf(world: CodeWorld, entity: Entity): "instantiates" | "calls" {
  return isMadeByCall(world, entity) ? "instantiates" : "calls";
}

/** A symbol on a line: `import { Store as Shop }` names one symbol at two places, and one of them is enough. */
function keyOnLine({ line }: CodePosition, entity: Entity): string {
  return `${line} ${entity}`;
}

/** Whether a reference at the edge's place says where it leads: it names a symbol there. */
function isReplaceable({ kind, to }: EdgeRecord): boolean {
  return kind !== "overrides" && "file" in to && to.symbol >= 0;
}

/**
 * Whether the edge leads to one of these files as a whole. Places need not agree: an import stands at its first name for
 * us and at the path of the module for compilers.
 */
function leadsToFile({ to }: EdgeRecord, files: ReadonlySet<number>): boolean {
  return "file" in to && to.symbol < 0 && files.has(to.file);
}

/** A place, and which side of a short form of it. */
function keyOfSide({ at, short }: Pick<PreciseReference, "at" | "short">): string {
  return short === undefined ? keyOfPlace(at) : `${keyOfPlace(at)} ${short}`;
}

/** Keys of a place in the order in which an edge may stand for one. Another name for a symbol can be a value, too. */
function sidesOf(edge: EdgeRecord): string[] {
  const sides = [keyOfSide(sideOfEdge(edge)), keyOfPlace(edge.at)];
  return edge.form === "alias" ? [...sides, keyOfSide({ at: edge.at, short: "value" })] : sides;
}

function sideOfEdge({ at, form }: EdgeRecord): Pick<PreciseReference, "at" | "short"> {
  return form === "key" || form === "value" ? { at, short: form } : { at };
}

function groupByPlace({ references }: PreciseDocument): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { symbol, isWrite, ...side } of references) {
    const key = keyOfSide(side);
    const known = places.get(key);
    known?.symbols.push(symbol);
    places.set(key, { ...side, symbols: known?.symbols ?? [symbol], isWrite: isWrite || known?.isWrite === true });
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
function innermostAt({ symbols }: CodeFile, at: CodePosition): number {
  let innermost = -1;
  for (const [index, { start, end }] of symbols.entries()) {
    if (isBefore(at, start) || !isBefore(at, end)) continue;
    const best = symbols[innermost];
    if (best === undefined || !isBefore(start, best.start)) innermost = index;
  }
  return innermost;
}

type Kind = EdgeRecord["kind"];

/** The edges out of a file with those of its relationships. */
function addImplementations(
  world: CodeWorld,
  targets: PreciseTargets,
  file: number,
  { implementations }: PreciseDocument,
  edges: readonly EdgeRecord[],
): EdgeRecord[] {
  const result = [...edges];
  const first = world.first[file] as number;
  const known = new Map<number, number[]>();
  for (const [index, { kind, from }] of edges.entries()) {
    if (OF_TYPES.has(kind) || OF_MEMBERS.has(kind)) addToList(known, first + from, index);
  }
  for (const { symbol, of } of implementations) {
    const sources = targets
      .entitiesOf(symbol)
      .filter((entity) => world.asFile(entity) < 0 && world.fileOf(entity) === file);
    const [source] = sources;
    if (source === undefined) continue;
    const isTyped = isType(world.symbol(source));
    const kinds = isTyped ? OF_TYPES : OF_MEMBERS;
    for (const base of nearestBases(targets, of)) {
      const among = targets.entitiesOf(base).filter((entity) => world.asFile(entity) < 0);
      if (among.length === 0) continue;
      const target = pickSymbol(world, among, isTyped);
      let isKnown = false;
      for (const index of sources.flatMap((entity) => known.get(entity) ?? [])) {
        const edge = result[index] as EdgeRecord;
        if (!kinds.has(edge.kind) || !among.includes(symbolOfEdge(world, edge))) continue;
        isKnown = true;
        result[index] = { ...edge, tier: "precise" };
      }
      if (isKnown || target === source) continue;
      const kind = isTyped ? kindOfBase(world, source, target) : "overrides";
      const typeOnly = kind === "implements" && isOnlyType(world.symbol(target));
      const { at } = world.symbol(source);
      const to = targetOfSymbol(world, target);
      result.push({ kind, tier: "precise", typeOnly, from: source - first, at, to });
    }
  }
  return result;
}

/** Those that no other of them implements: indexers list what is inherited, too, and edges lead to the next base alone. */
function nearestBases(targets: PreciseTargets, of: readonly string[]): readonly string[] {
  if (of.length < 2) return of;
  const inherited = new Set(of.flatMap((base) => targets.implementedBy(base).filter((further) => further !== base)));
  return of.filter((base) => !inherited.has(base));
}

/** A class extends a class and an interface an interface; what is of another kind than its base implements that. */
function kindOfBase(world: CodeWorld, source: Entity, target: Entity): Kind {
  const isSame = isOnlyType(world.symbol(source)) === isOnlyType(world.symbol(target));
  return isSame && world.symbol(target).kind !== "trait" ? "extends" : "implements";
}
