/**
 * SCIP indexes, which indexers on top of compilers write: documents, the places in them that name symbols, and which
 * symbol implements which.
 *
 * Everything else of the format (hover texts, kinds, diagnostics) is passed over. Field numbers are those of
 * https://github.com/sourcegraph/scip/blob/main/scip.proto. Pure: bytes in, values out.
 */
import { FormatError, InputError } from "../../../src/core/errors.ts";
import { addNumbers, messageOf, numberOf, readFields, textOf } from "./protobuf.ts";

/** A place that names a symbol. */
export interface ScipOccurrence {
  /** As stored: start line, start column, end line (left out where it is the same), end column; 0-based. */
  readonly range: readonly number[];
  readonly symbol: string;
  /** Bits of `SCIP_ROLE`. */
  readonly roles: number;
  /** The whole declaration of a definition, like `range`; empty where it is not known. */
  readonly enclosing: readonly number[];
}

/** Bits of an occurrence's roles. */
export const SCIP_ROLE = { definition: 1, write: 4 } as const;

/** One source file. */
export interface ScipDocument {
  /** From the folder that was indexed. */
  readonly path: string;
  /** Text that was indexed; `""` where it is not stored, as is usual. */
  readonly text: string;
  /** Unit of columns: 1 bytes of UTF-8, 2 units of UTF-16, 3 code points; 0 where the indexer does not say. */
  readonly encoding: number;
  readonly occurrences: readonly ScipOccurrence[];
  /** Symbols with those that they implement or override. */
  readonly implementations: readonly { readonly symbol: string; readonly of: readonly string[] }[];
}

/** A SCIP index. */
export interface ScipIndex {
  /** Address of the folder that was indexed, on the machine where it was: `file:///home/me/project`; `""` for none. */
  readonly projectRoot: string;
  readonly documents: readonly ScipDocument[];
}

type Intern = (text: string) => string;

/**
 * Read an index.
 *
 * @param name What the file is called, for errors.
 * @throws {InputError} where the bytes are no SCIP index, or not all of one.
 */
export function readScip(bytes: Uint8Array, name: string): ScipIndex {
  try {
    return readIndex(bytes);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const example = "npx @sourcegraph/scip-typescript index --output index.scip";
    throw new InputError(`${JSON.stringify(name)} is no SCIP index: ${error.message}`, [], example);
  }
}

function readIndex(bytes: Uint8Array): ScipIndex {
  const what = "index";
  // A symbol is named at many places: one text for all of them.
  const known = new Map<string, string>();
  const intern: Intern = (text) => {
    const same = known.get(text);
    if (same === undefined) known.set(text, text);
    return same ?? text;
  };
  let projectRoot: string | undefined;
  const documents: ScipDocument[] = [];
  readFields(bytes, what, (field, value) => {
    if (field === 1) projectRoot = readProjectRoot(messageOf(value, what));
    else if (field === 2) documents.push(readDocument(messageOf(value, what), intern));
  });
  if (projectRoot === undefined) throw new FormatError(what, { code: "malformed", reason: "it has no metadata" });
  return { projectRoot, documents };
}

function readProjectRoot(bytes: Uint8Array): string {
  const what = "metadata";
  let root = "";
  readFields(bytes, what, (field, value) => {
    if (field === 3) root = textOf(value, what);
  });
  return root;
}

function readDocument(bytes: Uint8Array, intern: Intern): ScipDocument {
  const what = "document";
  let path = "";
  let text = "";
  let encoding = 0;
  const occurrences: ScipOccurrence[] = [];
  const implementations: { readonly symbol: string; readonly of: readonly string[] }[] = [];
  readFields(bytes, what, (field, value) => {
    if (field === 1) path = textOf(value, what);
    else if (field === 2) occurrences.push(readOccurrence(messageOf(value, what), intern));
    else if (field === 3) {
      const symbol = readSymbol(messageOf(value, what), intern);
      if (symbol.of.length > 0) implementations.push(symbol);
    } else if (field === 5) text = textOf(value, what);
    else if (field === 6) encoding = numberOf(value, what);
  });
  return { path, text, encoding, occurrences, implementations };
}

function readOccurrence(bytes: Uint8Array, intern: Intern): ScipOccurrence {
  const what = "occurrence";
  const range: number[] = [];
  const enclosing: number[] = [];
  let symbol = "";
  let roles = 0;
  readFields(bytes, what, (field, value) => {
    if (field === 1) addNumbers(range, value, what);
    else if (field === 2) symbol = intern(textOf(value, what));
    else if (field === 3) roles = numberOf(value, what);
    else if (field === 7) addNumbers(enclosing, value, what);
  });
  return { range, symbol, roles, enclosing };
}

function readSymbol(bytes: Uint8Array, intern: Intern): { readonly symbol: string; readonly of: readonly string[] } {
  const what = "symbol";
  let symbol = "";
  const of: string[] = [];
  readFields(bytes, what, (field, value) => {
    if (field === 1) symbol = intern(textOf(value, what));
    else if (field === 4) {
      const implemented = readImplemented(messageOf(value, what), intern);
      if (implemented !== undefined) of.push(implemented);
    }
  });
  return { symbol, of };
}

/** The symbol of a relationship that says "implements"; undefined of others. */
function readImplemented(bytes: Uint8Array, intern: Intern): string | undefined {
  const what = "relationship";
  let symbol = "";
  let isImplementation = false;
  readFields(bytes, what, (field, value) => {
    if (field === 1) symbol = intern(textOf(value, what));
    else if (field === 3) isImplementation = numberOf(value, what) !== 0;
  });
  return isImplementation ? symbol : undefined;
}
