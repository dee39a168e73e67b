/** Components as they are parsed and linked, in words that tests can hold against. */
import { expect } from "vitest";
import type { LinkFile } from "../../../indexer/languages/base/language.ts";
import { loadParsers, parseCode } from "../../../indexer/parse/code/parse-code.ts";
import { codeFile, link, placedEdgesOf } from "../../support/code-files.ts";

export async function read(path: string, text: string): Promise<LinkFile> {
  const parsed = parseCode({ path, text }, await loadParsers([path]), { ignoreKinds: [], stopKinds: [] });
  if (parsed === undefined) throw new Error(`${path} is no source file`);
  expect(parsed.file.diagnostics).toEqual([]);
  return { ...codeFile(path), code: parsed.file, sectionOf: (symbol) => parsed.sectionOf[symbol] ?? 0 };
}

/** Edges out of the first file to symbols of any, as `line:column kind tier file#symbol`; imports left out. */
export async function edges(sources: Readonly<Record<string, string>>): Promise<string[]> {
  const files = await Promise.all(Object.entries(sources).map(([path, text]) => read(path, text)));
  const [first = ""] = Object.keys(sources);
  return placedEdgesOf(link(files), first).filter((edge) => edge.includes("#") && !edge.includes(" imports "));
}

/** The symbols of a file as `line kind container.name`. */
export async function outline(path: string, text: string): Promise<string[]> {
  const { symbols } = (await read(path, text)).code;
  return symbols.map(({ at, kind, parent, name }) => {
    const container = parent < 0 ? "" : `${symbols[parent]?.name}.`;
    return `${at.line} ${kind} ${container}${name}`;
  });
}

/** What components of tests import. */
export const LAMPS = `export interface Lamp { id: number; label: string }
export class Store { add(lamp: Lamp): void {} }
export const store = new Store();
export function show(text: string): string { return text; }
`;

/** Beginnings of markup without an end. */
export const BROKEN = [
  "<a b={",
  "{#if a}",
  "{{ a",
  "<A b={<A ",
  "<!-- ",
  "{`${",
  "<p :a='{",
  "<template ",
  "</b><b>",
  "<p v-for='  ",
];

/** Reads such a piece, and as many of it as no person writes: what could be read is there, or an error says why not. */
export async function readBroken(path: string, piece: string): Promise<void> {
  const parsers = await loadParsers([path]);
  const parse = (count: number) =>
    parseCode({ path, text: piece.repeat(count) }, parsers, { ignoreKinds: [], stopKinds: [] });
  expect(parse(1)?.file.symbols).toHaveLength(1);
  expect(parse(20)?.file.symbols.length).toBeGreaterThan(0);
  try {
    expect(parse(20_000)?.file.symbols.length).toBeGreaterThan(0);
  } catch (error) {
    expect(String(error)).toMatch(/nested deeper|call stack/);
  }
}
