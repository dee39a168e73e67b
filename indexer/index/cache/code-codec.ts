/**
 * What parsing made of a source file as bytes: what threads hand over and the parse cache keeps.
 *
 * Two parts: symbols and imports, which linking needs of all files at once, and uses, which it goes through file by file and which
 * are most of it.
 */
import { deserialize, serialize } from "node:v8";
import type { CodeFile, CodeSymbol, CodeUse, Reference } from "../../languages/base/code-file.ts";
import type { PreparedCode } from "../prepared-document.ts";

/** A source file without its uses. */
interface CodeOutline {
  readonly file: Omit<CodeFile, "uses">;
  /** By symbol: ordinal of the section that shows it. */
  readonly sectionOf: readonly number[];
}

interface CodeParts {
  readonly outline: Uint8Array;
  readonly uses: Uint8Array;
}

/** Calls of a chain. V8 writes by recursion, and reads in threads with small stacks: longer chains are given up. */
const MAX_CHAIN = 200;
/** Where a root holds another reference. */
const INNER = ["type", "of", "by", "otherwise", "to", "within"] as const;

/** Bytes of a source file. */
export function encodeCode({ file: { uses, symbols, ...rest }, sectionOf }: PreparedCode): Uint8Array {
  const depths = new Map<Reference, number>();
  const isShort = (reference: Reference): boolean => measureChain(reference, depths, MAX_CHAIN) <= MAX_CHAIN;
  const shorten = ({ type, element, gives, ...symbol }: CodeSymbol): CodeSymbol => ({
    ...symbol,
    ...(type !== undefined && isShort(type) && { type }),
    ...(element !== undefined && isShort(element) && { element }),
    ...(gives !== undefined && { gives: gives.filter((given) => isShort(given.type)) }),
  });
  const outline: CodeOutline = { file: { ...rest, symbols: symbols.map(shorten) }, sectionOf };
  const parts: CodeParts = {
    outline: serialize(outline),
    uses: serialize(uses.filter(({ target }) => isShort(target))),
  };
  return serialize(parts);
}

/** All but the uses of what `encodeCode` wrote. */
export function decodeOutline(bytes: Uint8Array): CodeOutline {
  return deserialize((deserialize(bytes) as CodeParts).outline) as CodeOutline;
}

/** The uses of what `encodeCode` wrote. */
export function decodeCodeUses(bytes: Uint8Array): CodeUse[] {
  return deserialize((deserialize(bytes) as CodeParts).uses) as CodeUse[];
}

/** References that one is built on, one on another, itself included; infinite beyond `most`. */
function measureChain(reference: Reference, known: Map<Reference, number>, most: number): number {
  const before = known.get(reference);
  if (before !== undefined) return before;
  if (most === 0) return Number.POSITIVE_INFINITY;
  const root: { readonly kind: string } & Partial<Record<(typeof INNER)[number], Reference>> = reference.root;
  const inner = INNER.map((field) => root[field]).filter((one) => one !== undefined);
  const depth = 1 + Math.max(0, ...inner.map((one) => measureChain(one, known, most - 1)));
  known.set(reference, depth);
  return depth;
}
