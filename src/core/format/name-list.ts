/**
 * Keys and values of the table `names`: which symbols have a name.
 *
 * Layout: index-format v1, section 7.8. Keys of three kinds: whole names, names from one of their parts on, and names
 * behind that of their container. Each is folded, so that one range of keys holds all that begins with what somebody
 * types; how the name is written stands beside it. Pure: bytes in, values out.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf, keyOfNumber, textOfKey } from "../bytes/key.ts";
import { ByteReader, expectRoom } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { checkLimit, malformed } from "../errors.ts";
import { foldCase } from "../text/normalize.ts";
import { cutText } from "../text/short-text.ts";
import { partStarts } from "../text/tokenize.ts";
import { SYMBOL_KINDS, type SymbolKind } from "./code-model.ts";

const WHAT = "table names";
/** Longer names are keys by their first so many UTF-16 units. */
const MAX_NAME = 200;
const MAX_CONTAINER = 100;
/** Further parts of a name are no keys. */
const MAX_TAILS = 8;
/** Symbols of a piece of a list. */
export const PIECE_SYMBOLS = 512;
/** Symbols of the entry of a tail: the others are found under the whole name. */
export const TAIL_SYMBOLS = 64;
/** Capitals are said in masks of so many characters each. */
const MASK_BITS = 28;

/** A symbol takes a byte of its kind, one of its rank, and its place. */
const MIN_PLACE_BYTES = 4;
const KIND_BITS = 0x1f;
const EXPORTED = 0x20;
const OTHER_SPELLING = 0x40;
const PUBLIC = 0x80;

/** What a key of the table is. */
export type NameRegion = "whole" | "tail" | "qualified";
const REGION_BYTES: Readonly<Record<NameRegion, string>> = { whole: "n", tail: "p", qualified: "q" };

/** One symbol of a list. */
export interface NamedPlace {
  /** Number of the source file, and index of the symbol in it. */
  readonly file: number;
  readonly symbol: number;
  readonly kind: SymbolKind;
  readonly exported: boolean;
  /** Whether a package gives it to those who import it. */
  readonly isPublic: boolean;
  /** As in the symbol's record. */
  readonly rank: number;
  /** The key's name as this symbol writes it. Of a tail: the whole name. */
  readonly name: string;
}

/** A value: symbols of one key, in the order of `comparePlaces`. */
interface NameList {
  /** Symbols of the key, in all pieces. */
  readonly total: number;
  readonly places: readonly NamedPlace[];
}

/** A key as it was made. */
interface NameKey {
  readonly region: NameRegion;
  /** Folded: a name, its tail, or a qualified name. */
  readonly text: string;
  /** What stands before a tail in its name, as written. */
  readonly before: string;
  /** Which piece of the list, from 0 on. */
  readonly piece: number;
}

/** A name as it stands in keys and is compared: cut, in one case, without what separates parts of keys. */
export function foldSymbolName(name: string): string {
  return foldCase(bareName(name));
}

/** Start of the keys of a region that begin with a folded text. */
export function nameKeyStart(region: NameRegion, folded: string): ByteKey {
  return `${REGION_BYTES[region]}${keyOf(folded)}` as ByteKey;
}

/** Key of a piece of the list of a whole name or a qualified one. */
export function keyOfName(region: "whole" | "qualified", folded: string, piece = 0): ByteKey {
  const first = nameKeyStart(region, folded);
  return piece === 0 ? first : (`${first}${KEY_SEPARATOR}${keyOfNumber(piece)}` as ByteKey);
}

/** `Container.name` as written, cut to what keys hold. */
export function qualifiedName(container: string, name: string): string {
  return `${bareName(container, MAX_CONTAINER)}.${bareName(name)}`;
}

/** Where the parts of a name begin that keys are made of, ascending. */
export function keyedParts(name: string): number[] {
  const starts = partStarts(bareName(name));
  return starts.slice(0, starts[0] === 0 ? MAX_TAILS + 1 : MAX_TAILS);
}

/** The tails of a name: from each part on but one at its beginning. */
export function tailsOf(name: string): { readonly key: ByteKey; readonly tail: string }[] {
  const bare = bareName(name);
  return keyedParts(bare)
    .filter((start) => start > 0)
    .map((start) => {
      const tail = bare.slice(start);
      return {
        key: `${nameKeyStart("tail", foldCase(tail))}${KEY_SEPARATOR}${keyOf(bare.slice(0, start))}` as ByteKey,
        tail,
      };
    });
}

/** What a key says. @throws {FormatError} for a key of no kind. */
export function readNameKey(key: ByteKey): NameKey {
  const region = (Object.keys(REGION_BYTES) as NameRegion[]).find((name) => REGION_BYTES[name] === key[0]);
  if (region === undefined) throw malformed(WHAT, "a key of no kind");
  const at = key.indexOf(KEY_SEPARATOR);
  const end = at < 0 ? key.length : at;
  const behind = key.slice(end + 1) as ByteKey;
  const text = textOfKey(key.slice(1, end) as ByteKey);
  if (region === "tail") return { region, text, before: textOfKey(behind), piece: 0 };
  if (behind.length !== 0 && behind.length !== 4) throw malformed(WHAT, "a piece without a number");
  const number = [...behind].reduce((sum, byte) => sum * 256 + byte.charCodeAt(0), 0);
  return { region, text, before: "", piece: number };
}

/** The order of a list: what packages give, exported ones, what one looks for more often, what more of the code leads to, then by place. */
export function comparePlaces(a: Omit<NamedPlace, "name">, b: Omit<NamedPlace, "name">): number {
  return (
    Number(b.isPublic) - Number(a.isPublic) ||
    Number(b.exported) - Number(a.exported) ||
    preferenceOf(b.kind) - preferenceOf(a.kind) ||
    b.rank - a.rank ||
    a.file - b.file ||
    a.symbol - b.symbol
  );
}

/** Bytes of a piece. `folded` is the key's text; names are those of the places, of a tail only what follows `before`. */
export function encodeNameList(folded: string, total: number, places: readonly NamedPlace[]): Uint8Array {
  const writer = new ByteWriter(8 + places.length * 6);
  const isPart = places.length < total;
  writer.writeVarint(2 * total + (isPart ? 1 : 0));
  if (isPart) writer.writeVarint(places.length);
  let spelling: string | undefined;
  for (const { file, symbol, kind, exported, isPublic, rank, name } of places) {
    const bare = bareName(name, Number.POSITIVE_INFINITY);
    const isOther = spelling === undefined || bare !== spelling;
    const flags = (exported ? EXPORTED : 0) | (isOther ? OTHER_SPELLING : 0) | (isPublic ? PUBLIC : 0);
    writer.writeByte(SYMBOL_KINDS.indexOf(kind) | flags);
    if (isOther) writeCapitals(writer, bare, folded);
    spelling = bare;
    writer.writeByte(rank);
    writer.writeVarint(file);
    writer.writeVarint(symbol);
  }
  return writer.finish();
}

/** The piece that these bytes are under a key. @throws {FormatError}. */
export function decodeNameList({ text, before }: Pick<NameKey, "text" | "before">, bytes: Uint8Array): NameList {
  const reader = new ByteReader(bytes, WHAT);
  const stated = reader.readVarint();
  const total = Math.floor(stated / 2);
  const count = stated % 2 === 0 ? total : reader.readVarint();
  expectRoom(reader, count, MIN_PLACE_BYTES);
  if (count === 0 || (stated % 2 === 1 && count >= total)) throw malformed(WHAT, `${count} of ${total} symbols`);
  const places: NamedPlace[] = [];
  let name: string | undefined;
  while (places.length < count) {
    const head = reader.readByte();
    const kind = SYMBOL_KINDS[head & KIND_BITS];
    if (kind === undefined) throw malformed(WHAT, `no symbol is of kind ${head}`);
    if ((head & OTHER_SPELLING) !== 0) name = before + readCapitals(reader, text);
    if (name === undefined) throw malformed(WHAT, "the first name is not written");
    const rank = reader.readByte();
    const file = reader.readVarint();
    const [exported, isPublic] = [(head & EXPORTED) !== 0, (head & PUBLIC) !== 0];
    places.push({ file, symbol: reader.readVarint(), kind, exported, isPublic, rank, name });
  }
  reader.expectEnd();
  return { total, places };
}

/** Where a name is written with capitals: the others follow from the folded text. */
function writeCapitals(writer: ByteWriter, written: string, folded: string): void {
  for (let from = 0; from < folded.length; from += MASK_BITS) {
    let mask = 0;
    for (let bit = 0; bit < MASK_BITS && from + bit < folded.length; bit++) {
      if (written[from + bit] !== folded[from + bit]) mask += 2 ** bit;
    }
    writer.writeVarint(mask);
  }
}

/** What `writeCapitals` wrote of this text; a letter whose capital is no single unit stays as it is. */
function readCapitals(reader: ByteReader, folded: string): string {
  let written = "";
  for (let from = 0; from < folded.length; from += MASK_BITS) {
    const mask = reader.readVarint();
    checkLimit(WHAT, "capitals", mask, 2 ** MASK_BITS - 1);
    for (let bit = 0; bit < MASK_BITS && from + bit < folded.length; bit++) {
      const unit = folded[from + bit] as string;
      const upper = unit.toUpperCase();
      written += (mask & (1 << bit)) !== 0 && upper.length === 1 ? upper : unit;
    }
  }
  return written;
}

/** Keys hold a byte 0 between their parts only. */
function bareName(name: string, limit = MAX_NAME): string {
  return cutText(name.replaceAll(KEY_SEPARATOR, " "), limit);
}

/** What is declared once and used often comes before what many things have one of. */
function preferenceOf(kind: SymbolKind): number {
  return PREFERENCES.get(kind) ?? 0;
}

/** The least preferred first. */
const PREFERRED: readonly (readonly SymbolKind[])[] = [
  ["variable", "operator"],
  ["module", "namespace", "package", "macro", "method", "constructor", "constant"],
  ["class", "interface", "struct", "trait", "record", "union", "enum", "typeAlias", "function"],
];
const PREFERENCES = new Map(PREFERRED.flatMap((kinds, at) => kinds.map((kind) => [kind, at + 1] as const)));
