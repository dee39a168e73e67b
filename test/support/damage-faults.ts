/**
 * Faults in the files of an index, as storage, networks and people make them: bits, cuts, files and chunks in the wrong
 * place, other versions. Drawn with a seed.
 */
import { shuffle } from "../../bench/random.ts";
import { decodeChunk, fileOfPack, keyAt, keyOfPack } from "../../src/core/format/chunk.ts";
import { decodePointer, encodePointer } from "../../src/core/format/generation.ts";
import { findBlock, hasDocument, unitsOf } from "../../src/core/format/locator.ts";
import { fromDirectoryChunk, type Place, TABLE_NAMES } from "../../src/core/format/table.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { readWithResident, residentTable } from "../../src/core/index/resident.ts";
import type { BuiltIndex } from "./build-index.ts";

/** Behind the four bytes of magic. */
const VERSION_AT = 4;

/** Kind of the fault that makes one index another, for who reads no other file: the pointer is what says which it is. */
export const FOREIGN_POINTER = "pointer of another one";

/** Index files by name. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** A changed set of files. */
export interface Fault {
  /** What was done, for the message of a test that fails. */
  readonly what: string;
  readonly files: Files;
}

/** How much of what can be damaged is. */
export interface Thoroughness {
  /** Bits that are changed of every byte of a small file. */
  readonly bitsOfSmall: number;
  /** Of how many bytes of small files one is tried; 1 is all. */
  readonly stepOfSmall: number;
  /** Bytes of packs that are changed, drawn, beside those at the start of every chunk. */
  readonly packBytes: number;
  /** Bytes at the start of a chunk or block that are changed. */
  readonly headerBytes: number;
  /** Lengths to which each pack is cut, drawn. */
  readonly packCuts: number;
  /** Pairs of chunks or blocks that are exchanged, drawn; those of one length all. */
  readonly swaps: number;
}

/** Every kind of fault in an index of `buildMarked`, by a name of the kind. `other` has the same layout and other words. */
export async function* drawFaults(
  built: Pick<BuiltIndex, "files" | "open">,
  other: Pick<BuiltIndex, "files" | "open">,
  random: () => number,
  { bitsOfSmall, stepOfSmall, packBytes, headerBytes, packCuts, swaps }: Thoroughness,
): AsyncGenerator<readonly [kind: string, fault: Fault]> {
  const { files } = built;
  const packs = await listPacks(built);
  const packFiles = packs.map(fileOfPack);
  const below = (limit: number): number => Math.floor(random() * limit);
  for (const name of smallFiles(files)) {
    const { length } = files.get(name) ?? new Uint8Array();
    for (let at = below(stepOfSmall); at < length; at += stepOfSmall) {
      for (let bit = 0; bit < bitsOfSmall; bit++) {
        yield ["bit of a small file", flipBit(files, name, at, bitsOfSmall === 8 ? bit : below(8))];
      }
      yield ["small file cut", cutFile(files, name, at)];
    }
  }
  const places = await listPlaces(built, packs);
  const heads = places.flatMap((place) => Array.from({ length: headerBytes }, (_, at) => ({ ...place, at })));
  for (const { pack, offset, at } of shuffle(heads, random)) {
    yield ["start of a chunk", flipBit(files, packFiles[pack] as string, offset + at, below(8))];
  }
  for (let n = 0; n < packBytes; n++) {
    const name = packFiles[below(packFiles.length)] as string;
    yield ["bit of a pack", flipBit(files, name, below(files.get(name)?.length ?? 1), below(8))];
  }
  for (const name of packFiles) {
    for (let n = 0; n < packCuts; n++) yield ["pack cut", cutFile(files, name, below(files.get(name)?.length ?? 1))];
  }
  for (const name of files.keys()) {
    if (name !== POINTER_FILE) yield ["file gone", withFile(files, "without", name, undefined)];
    yield [
      "bytes behind the end",
      appendGarbage(
        files,
        name,
        Uint8Array.from({ length: 1 + below(64) }, () => below(256)),
      ),
    ];
    for (const second of files.keys()) if (second > name) yield ["files exchanged", swapFiles(files, name, second)];
  }
  yield* foreignPacks(files, packs, other.files, await listPacks(other)).map(
    (fault) => ["file of another index", fault] as const,
  );
  yield [FOREIGN_POINTER, withFile(files, "foreign", POINTER_FILE, other.files.get(POINTER_FILE))];
  for (const version of [0, 2, 255]) {
    for (const fault of withVersion(files, version)) yield ["other version", fault];
  }
  const pairs = places.flatMap((one, at) => places.slice(at + 1).map((second) => [one, second] as const));
  const twins = pairs.filter(([one, second]) => one.length === second.length);
  const drawn = [...shuffle(twins, random).slice(0, swaps), ...shuffle(pairs, random).slice(0, swaps)];
  for (const [one, second] of drawn) yield ["chunks exchanged", swapPlaces(files, packs, one, second)];
}

/** Packs of all levels, each once. */
async function listPacks({ open }: Pick<BuiltIndex, "open">): Promise<string[]> {
  return [...new Set((await open("all")).index.root.shards.flatMap(({ packs }) => packs))];
}

/** Where everything in the packs lies: chunks of both heights of all tables, and texts; each in a pack of the list. */
async function listPlaces({ open }: Pick<BuiltIndex, "open">, listed: readonly string[]): Promise<Place[]> {
  const { reader, index, source } = await open("all");
  await readWithResident(reader, ["locator"]);
  const places: Place[] = [];
  for (const [shard, { tables, packs, inflate }] of index.root.shards.entries()) {
    const add = (...own: readonly Place[]): void => {
      for (const place of own) places.push({ ...place, pack: listed.indexOf(packs[place.pack] as string) });
    };
    for (const table of TABLE_NAMES) {
      const { height, entries } = tables[table];
      add(...entries);
      if (height === 0) continue;
      for (const entry of entries) {
        const { file, offset, length } = reader.rangeOf(shard, entry);
        const bytes = await source.readRange(file, offset, length);
        const key = keyAt(keyOfPack(packs[entry.pack] ?? ""), offset);
        const chunk = await decodeChunk(`${table}/directory`, entry.prefix, bytes, inflate, key);
        add(...fromDirectoryChunk(chunk, table, packs.length));
      }
    }
    const locator = residentTable(reader, shard, "locator");
    for (let document = 0; document < locator.slots; document++) {
      if (!hasDocument(locator, document)) continue;
      for (const unit of unitsOf(locator, document)) add(findBlock(locator, document, unit));
    }
  }
  return places;
}

/** Files with one of them changed, or gone. */
function withFile(files: Files, what: string, name: string, bytes: Uint8Array | undefined): Fault {
  const changed = new Map(files);
  if (bytes === undefined) changed.delete(name);
  else changed.set(name, bytes);
  return { what: `${what} ${name}`, files: changed };
}

/** The files whose every byte is tried: all but packs. */
function smallFiles(files: Files): string[] {
  return [...files.keys()].filter((name) => !name.endsWith(".pack"));
}

/** A byte with one bit changed. */
function flipBit(files: Files, name: string, at: number, bit: number): Fault {
  const bytes = (files.get(name) ?? new Uint8Array()).slice();
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  return withFile(files, `bit ${bit} of byte ${at} changed in`, name, bytes);
}

/** The first bytes of a file alone. */
function cutFile(files: Files, name: string, length: number): Fault {
  return withFile(files, `only ${length} bytes left of`, name, files.get(name)?.slice(0, length));
}

/** Two files under each other's names. */
function swapFiles(files: Files, one: string, other: string): Fault {
  const changed = new Map(files);
  changed.set(one, files.get(other) ?? new Uint8Array());
  changed.set(other, files.get(one) ?? new Uint8Array());
  return { what: `${one} and ${other} exchanged`, files: changed };
}

/** Two stretches of packs in each other's place; of a longer one as much as fits. */
function swapPlaces(files: Files, packs: readonly string[], one: Place, other: Place): Fault {
  const changed = new Map(files);
  const nameOf = ({ pack }: Place): string => fileOfPack(packs[pack] ?? "");
  const bytesOf = (place: Place): Uint8Array =>
    (files.get(nameOf(place)) ?? new Uint8Array()).slice(place.offset, place.offset + place.length);
  for (const [to, from] of [
    [one, other],
    [other, one],
  ] as const) {
    const bytes = (changed.get(nameOf(to)) ?? new Uint8Array()).slice();
    bytes.set(bytesOf(from).subarray(0, to.length), to.offset);
    changed.set(nameOf(to), bytes);
  }
  const show = ({ pack, offset, length }: Place): string => `${length} bytes at ${pack}:${offset}`;
  return { what: `${show(one)} and ${show(other)} exchanged`, files: changed };
}

/** Bytes behind the end of a file. */
function appendGarbage(files: Files, name: string, garbage: Uint8Array): Fault {
  const bytes = files.get(name) ?? new Uint8Array();
  const longer = new Uint8Array(bytes.length + garbage.length);
  longer.set(bytes);
  longer.set(garbage, bytes.length);
  return withFile(files, `${garbage.length} bytes more in`, name, longer);
}

/** Each pack of an index replaced by the pack of another one at the same place in its list. */
function foreignPacks(files: Files, packs: readonly string[], other: Files, otherPacks: readonly string[]): Fault[] {
  return packs.map((listed, at) =>
    withFile(files, "a foreign file in the place of", fileOfPack(listed), other.get(fileOfPack(otherPacks[at] ?? ""))),
  );
}

/** The version that the pointer, or the root inside it, says it has. */
function withVersion(files: Files, version: number): Fault[] {
  const pointer = files.get(POINTER_FILE) ?? new Uint8Array();
  const newer = pointer.slice();
  newer[VERSION_AT] = version;
  const { rootBytes, ...names } = decodePointer(pointer);
  const newerRoot = rootBytes.slice();
  newerRoot[VERSION_AT] = version;
  return [
    withFile(files, `version ${version} in`, POINTER_FILE, newer),
    withFile(files, `a root of version ${version} in`, POINTER_FILE, encodePointer({ ...names, rootBytes: newerRoot })),
  ];
}
