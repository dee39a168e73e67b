/**
 * What symbols of SCIP indexes are here: their definitions joined to symbols and files by place. Pure.
 */
import type { CodePosition, EdgeRecord, EdgeTarget } from "../../../src/core/format/code-model.ts";
import type { PreciseDefinition, PreciseDocument } from "../scip/place-document.ts";
import { isLocalSymbol } from "../scip/read-scip.ts";
import { addToList } from "./add-to-list.ts";
import { type CodeWorld, type Entity, NOTHING } from "./code-world.ts";

/** What compilers know of source files. */
export interface PreciseFacts {
  readonly documents: readonly PreciseDocument[];
  /** Symbols that are defined in documents which were left out: they are of the corpus, and nothing is known of them. */
  readonly leftOut: ReadonlySet<string>;
}

/** See the header. */
export interface PreciseTargets {
  /** Documents of files of this world. */
  readonly documents: readonly { readonly file: number; readonly document: PreciseDocument }[];
  /** Symbols and files that a symbol is here: several for overloads and merged declarations, none where it is not joined. */
  readonly entitiesOf: (symbol: string) => readonly Entity[];
  /** Whether the symbol is none of the corpus, or a local variable, which has no entity either. */
  readonly isElsewhere: (symbol: string) => boolean;
  /** Symbols that a symbol implements, as the index says. */
  readonly implementedBy: (symbol: string) => readonly string[];
}

/** Join all definitions. */
export function createPreciseTargets(world: CodeWorld, { documents, leftOut }: PreciseFacts): PreciseTargets {
  const numbers = new Map(world.files.map(({ id }, file) => [id, file]));
  const own = documents.flatMap((document) => {
    const file = numbers.get(document.id);
    return file === undefined ? [] : [{ file, document }];
  });
  const entities = new Map<string, Entity[]>();
  const defined = new Set<string>();
  const implemented = new Map<string, readonly string[]>();
  // A definition in a file of another access group is known, and leads nowhere here.
  for (const { definitions } of documents) for (const { symbol } of definitions) defined.add(symbol);
  for (const { file, document } of own) {
    const join = createJoin(world, file);
    for (const definition of document.definitions) {
      const entity = join(definition);
      if (entity !== NOTHING) addToList(entities, definition.symbol, entity);
    }
    for (const { symbol, of } of document.implementations) implemented.set(symbol, of);
  }
  return {
    documents: own,
    entitiesOf: (symbol) => entities.get(symbol) ?? [],
    isElsewhere: (symbol) =>
      isLocalSymbol(symbol)
        ? defined.has(symbol) && !entities.has(symbol)
        : !defined.has(symbol) && !leftOut.has(symbol),
    implementedBy: (symbol) => implemented.get(symbol) ?? [],
  };
}

/** Finds what is defined at places of a file: a name at the place, else in it, else a declaration of just this extent. */
function createJoin(world: CodeWorld, file: number): (definition: PreciseDefinition) => Entity {
  const { symbols } = (world.files[file] as CodeWorld["files"][number]).code;
  const first = world.first[file] as number;
  const byName = new Map<string, number>();
  const byLine = new Map<number, number[]>();
  const byExtent = new Map<string, number[]>();
  for (const [index, { at, start, end }] of symbols.entries()) {
    if (!byName.has(keyOfPlace(at))) byName.set(keyOfPlace(at), index);
    addToList(byLine, at.line, index);
    addToList(byExtent, `${keyOfPlace(start)} ${keyOfPlace(end)}`, index);
  }
  return ({ start, end, enclosing }) => {
    const isEmpty = keyOfPlace(start) === keyOfPlace(end);
    if (isEmpty && start.line === 1 && start.column === 1) return world.fileEntity(file);
    const named = byName.get(keyOfPlace(start));
    if (named !== undefined) return first + named;
    // A quoted name begins inside of its quotes for one and with them for the other.
    const within = (byLine.get(start.line) ?? []).filter((index) => {
      const { column } = (symbols[index] as (typeof symbols)[number]).at;
      return start.line === end.line && column > start.column && column < end.column;
    });
    if (within.length === 1) return first + (within[0] as number);
    const extent = enclosing && byExtent.get(`${keyOfPlace(enclosing.start)} ${keyOfPlace(enclosing.end)}`);
    return extent?.length === 1 ? first + (extent[0] as number) : NOTHING;
  };
}

/** A place as a key of maps. */
export function keyOfPlace({ line, column }: CodePosition): string {
  return `${line}:${column}`;
}

/** Target that an edge to a symbol has. */
export function targetOfSymbol(world: CodeWorld, entity: Entity): EdgeTarget {
  const file = world.fileOf(entity);
  return { file, symbol: entity - (world.first[file] as number) };
}

/** Symbol that an edge leads to; `NOTHING` where it leads to a file or out of the group. */
export function symbolOfEdge(world: CodeWorld, { to }: EdgeRecord): Entity {
  return "file" in to && to.symbol >= 0 ? (world.first[to.file] as number) + to.symbol : NOTHING;
}
