/** Source files and symbols as readers of the code tables give them. Types only. */
import type { FileRecord, SymbolRecord } from "../format/code-model.ts";

/** Where a source file is: the shard with its tables, and its number in them. */
export interface FilePlace {
  readonly shard: number;
  readonly file: number;
}

export interface SymbolPlace extends FilePlace {
  /** Its index in the file. */
  readonly symbol: number;
}

/** A source file with its symbols. */
export interface LoadedFile extends FilePlace {
  readonly record: FileRecord;
}

/** A symbol with the file that it stands in. */
export interface LoadedSymbol extends SymbolPlace {
  /** `collection:path#Container.name`. */
  readonly id: string;
  readonly record: SymbolRecord;
  readonly inFile: FileRecord;
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
}
