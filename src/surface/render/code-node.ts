/**
 * A symbol as answers show it in JSON and in tables. Pure.
 */

import { splitDocumentId } from "../../core/docs/node-id.ts";
import {
  type FileRecord,
  isExported,
  makeSymbolId,
  type SymbolKind,
  type SymbolRecord,
  withoutOrdinal,
} from "../../core/format/code-model.ts";
import { foldLine } from "./text.ts";

/** Longest signature that is shown beside a name. */
const MAX_PREVIEW_LENGTH = 100;

/** A symbol with where it stands. Absent members have no value in its language or were not asked for. */
export interface CodeNode {
  readonly id: string;
  readonly kind: SymbolKind;
  readonly name: string;
  readonly module: string;
  readonly package: string;
  /** Relative to the collection's root. */
  readonly filePath: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Itself, or with what it is a member of. */
  readonly exported: boolean;
  /** Names of what it extends or implements, `""` without one; of types that can. */
  readonly extends?: string;
  /** Qualified name of what it is a member of. */
  readonly parent?: string;
  /** Declared type, `""` without one; of values that are members. */
  readonly type?: string;
  readonly signature?: string;
  /** `package:symbol`, the package left out where it is the same. */
  readonly calls?: string;
  readonly calledBy?: string;
}

/** Kinds whose rows say what they extend. */
export const EXTENDING_KINDS: ReadonlySet<SymbolKind> = new Set(["class", "interface", "struct", "trait", "record"]);
/** Kinds whose rows say their type. */
export const TYPED_KINDS: ReadonlySet<SymbolKind> = new Set(["property", "field", "enumMember"]);
/** Kinds whose rows say what they are a member of. */
export const MEMBER_KINDS: ReadonlySet<SymbolKind> = new Set([...TYPED_KINDS, "method", "constructor"]);

/** The symbol of a file as a node. */
export function toCodeNode(file: FileRecord, symbol: SymbolRecord, withSignature: boolean): CodeNode {
  const { kind, name, start, end, bases } = symbol;
  const container = file.symbols[symbol.parent];
  return {
    id: makeSymbolId(file, symbol),
    kind,
    name,
    module: file.module,
    package: file.package,
    filePath: splitDocumentId(file.id).path,
    startLine: start.line,
    endLine: end.line,
    exported: isExported(file.language, file.symbols, symbol),
    ...(EXTENDING_KINDS.has(kind) && { extends: bases.join(", ") }),
    ...(container !== undefined && { parent: withoutOrdinal(container.path) }),
    ...(TYPED_KINDS.has(kind) && { type: symbol.type }),
    ...(withSignature && { signature: previewSignature(symbol.signature) }),
  };
}

/** A signature on one line, `...` where it is cut. */
export function previewSignature(signature: string): string {
  return foldLine(signature, MAX_PREVIEW_LENGTH);
}
