/**
 * The seam for compilers: positions in, declarations out. What a compiler knows of a file are its definitions and its
 * references, each with its place; and what the process of a checker is asked and answers.
 */
import type { CodePosition } from "../../../src/core/format/code-model.ts";
import type { Manifests } from "./manifests.ts";

/** A definition; `end` is the place after its name. An empty range at the start of a file is that of the file itself. */
export interface PreciseDefinition {
  readonly symbol: string;
  readonly start: CodePosition;
  readonly end: CodePosition;
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
      /** Document id and place of each. */
      readonly files: readonly { readonly id: string; readonly place: string }[];
      readonly manifests: Pick<Manifests, "list" | "configs">;
    }
  /** `roots`: ids of files that the program consists of, and paths of others. */
  | {
      readonly program: number;
      readonly roots: readonly string[];
      readonly others: readonly string[];
      readonly ask: readonly string[];
    };

/** What the process of a checker says: the files of each program, then the facts of each file that was asked for. */
export type CheckerAnswer =
  | { readonly programs: readonly (readonly string[])[] }
  | (CheckedFacts & { readonly id: string })
  /** All files were answered. Paths of files outside of the index that the program read, and which of them are global. */
  | { readonly outside: readonly string[]; readonly globals: readonly string[] };

/** Facts of a file, and what they depend on. */
export interface CheckedFacts {
  /** Left out where the checker failed. */
  readonly facts?: Omit<PreciseDocument, "id">;
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
