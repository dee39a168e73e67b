/**
 * The seam for compilers: positions in, declarations out. What a compiler knows of a file are its definitions and its
 * references, each with its place; and what the process of a checker is asked and answers.
 */
import type { CodePosition } from "../../../src/core/format/code-model.ts";
import type { Manifests } from "./manifests.ts";

/** A part of a file; `end` is the place after it. */
export interface PreciseRange {
  readonly start: CodePosition;
  readonly end: CodePosition;
}

/** A definition. An empty range at the start of a file is that of the file itself. */
export interface PreciseDefinition extends PreciseRange {
  readonly symbol: string;
  /** The whole declaration, where the compiler says so. */
  readonly enclosing?: PreciseRange;
}

/** A place that names a symbol. */
export interface PreciseReference {
  readonly symbol: string;
  readonly at: CodePosition;
  readonly isWrite: boolean;
  /** Side of a short form (`{ open }`) that the symbol is. */
  readonly short?: "key" | "value";
}

/** Facts of a compiler about one file. Symbols have whatever names the compiler gives them. */
export interface PreciseDocument {
  /** Document id. */
  readonly id: string;
  readonly definitions: readonly PreciseDefinition[];
  readonly references: readonly PreciseReference[];
  /** Symbols with those that they implement or override. */
  readonly implementations: readonly { readonly symbol: string; readonly of: readonly string[] }[];
}

/** What compilers know of source files. */
export interface PreciseFacts {
  readonly documents: readonly PreciseDocument[];
  /** Symbols of which nothing is known, though they are of the corpus. */
  readonly leftOut: ReadonlySet<string>;
}

/** What the process of a checker is asked. The first message tells it the files, each other one asks about some. */
export type CheckerRequest =
  | {
      /** Absolute path of the configuration's folder. */
      readonly dir: string;
      readonly files: readonly CheckedFile[];
      /** Ids of those that the checker failed at: to it they are empty. */
      readonly failed: readonly string[];
      readonly manifests: Pick<Manifests, "list" | "configs">;
    }
  /** `roots`: ids of files that the program consists of, and paths of others. */
  | {
      readonly program: number;
      readonly roots: readonly string[];
      readonly others: readonly string[];
      readonly ask: readonly string[];
    };

/** A source file of the language: document id, and place. */
export interface CheckedFile {
  readonly id: string;
  readonly place: string;
}

/** What the process of a checker says: the files of each program, then the facts of each file that was asked for. */
export type CheckerAnswer =
  | { readonly programs: readonly (readonly string[])[] }
  /** `isLast`: the file took the process along, through no fault of others. */
  | (CheckedFacts & { readonly id: string; readonly isLast?: true })
  /** All files were answered. Paths of files outside of the index that the program read, and which of them are global. */
  | { readonly outside: readonly string[]; readonly globals: readonly string[] };

/** Facts of a file, and what they depend on. */
export interface CheckedFacts {
  /** A {@link PreciseDocument} without its id, packed; `""` where the checker failed. */
  readonly facts: string;
  /** Why the checker failed. */
  readonly failed?: string;
  /** Whether it would not on another day, or another machine. */
  readonly isLost?: true;
  /** Digest of all that other files can see of it. */
  readonly shape: string;
  /** Ids of the files that it imports. */
  readonly imports: readonly string[];
  /** Whether it declares what is seen without an import. */
  readonly isGlobal: boolean;
}

/** As they cross processes and lie in the cache: texts once, places as numbers. */
interface PackedFacts {
  readonly symbols: readonly string[];
  /** Symbol, line and column of the start, columns up to the end. */
  readonly definitions: readonly (readonly [number, number, number, number])[];
  /** Symbol, line, column; then 1 for a write, 2 for the key and 4 for the value of a short form. */
  readonly references: readonly (readonly [number, number, number, number?])[];
  readonly implementations: readonly (readonly [number, readonly number[]])[];
}

const WRITE = 1;
const SHORT = { key: 2, value: 4 } as const;

/** Packs facts; definitions must end on the line that they begin on. */
export function packFacts({ definitions, references, implementations }: Omit<PreciseDocument, "id">): string {
  const numbers = new Map<string, number>();
  const number = (symbol: string): number => {
    const known = numbers.get(symbol) ?? numbers.size;
    numbers.set(symbol, known);
    return known;
  };
  const packed = {
    definitions: definitions.map(
      ({ symbol, start, end }) => [number(symbol), start.line, start.column, end.column - start.column] as const,
    ),
    references: references.map(({ symbol, at, isWrite, short }) => {
      const flags = (isWrite ? WRITE : 0) + (short === undefined ? 0 : SHORT[short]);
      return [number(symbol), at.line, at.column, ...(flags === 0 ? [] : [flags])];
    }),
    implementations: implementations.map(({ symbol, of }) => [number(symbol), of.map(number)] as const),
  };
  return JSON.stringify({ symbols: [...numbers.keys()], ...packed });
}

/** The document of facts that were packed. */
export function unpackFacts(id: string, packed: string): PreciseDocument {
  const { symbols, ...facts } = JSON.parse(packed) as PackedFacts;
  const named = (number: number): string => symbols[number] as string;
  return {
    id,
    definitions: facts.definitions.map(([symbol, line, column, length]) => ({
      symbol: named(symbol),
      start: { line, column },
      end: { line, column: column + length },
    })),
    references: facts.references.map(([symbol, line, column, flags = 0]) => {
      const short = (["key", "value"] as const).find((side) => (flags & SHORT[side]) !== 0);
      const isWrite = (flags & WRITE) !== 0;
      return { symbol: named(symbol), at: { line, column }, isWrite, ...(short !== undefined && { short }) };
    }),
    implementations: facts.implementations.map(([symbol, of]) => ({ symbol: named(symbol), of: of.map(named) })),
  };
}
