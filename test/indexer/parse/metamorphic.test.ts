/**
 * Properties of parsing and linking that hold for every language: what a change of the source may change.
 *
 * `test/fixtures/languages` has a source for each language. Its top-level declarations stand apart by two empty lines; the part
 * before the first ones, imports and the like, stays where it is.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type CollectionConfig, defaultConfig } from "../../../indexer/config/config.ts";
import { prepareDocument } from "../../../indexer/index/prepare-document.ts";
import { decodeCodeUses, decodeOutline, packDocument } from "../../../indexer/index/prepared-document.ts";
import { linkCode } from "../../../indexer/link/code/link-files.ts";
import { wantsFreshHeap } from "../../../indexer/parse/code/grammars.ts";
import { type CodeParsers, loadParsers, parseCode } from "../../../indexer/parse/code/parse-code.ts";
import { decodeSource } from "../../../indexer/sources/read-file.ts";
import { encodeUtf8 } from "../../../src/core/bytes/writer.ts";
import type { EdgeTarget, SymbolRecord } from "../../../src/core/format/code-model.ts";
import { CODE_LANGUAGES, codeLanguageOf } from "../../../src/core/text/code-languages.ts";
import { runs } from "../../support/runs.ts";

const FOLDER = join(import.meta.dirname, "../../fixtures/languages");
const NAMES = readdirSync(FOLDER).sort();
const SOURCES = NAMES.filter((name) => codeLanguageOf(name) !== undefined);
const [PAGES] = defaultConfig().collections as [CollectionConfig];
const ALL = { ignoreKinds: [], stopKinds: [] };

let parsers: CodeParsers;

beforeAll(async () => {
  parsers = await loadParsers(SOURCES);
});

function textOf(name: string): string {
  return readFileSync(join(FOLDER, name), "utf8");
}

/** The symbols of a source and its edges, as linking gives them. */
function link(path: string, text: string) {
  const parsed = parseCode({ path, text }, parsers, ALL);
  if (parsed === undefined) throw new Error(`${path} is no source`);
  const { file, sectionOf } = parsed;
  const { files, edges } = linkCode({
    files: [
      { collection: "code", id: path, path, hash: "0".repeat(16), code: file, sectionOf: (it) => sectionOf[it] ?? 0 },
    ],
    manifests: [],
  });
  return { symbols: files[0]?.symbols ?? [], edges: edges[0] ?? [], errors: file.errors };
}

/** Facts of a source without places, sorted. */
function factsOf(path: string, text: string): readonly string[] {
  const { symbols, edges } = link(path, text);
  // Of several with one name, the number says which comes first.
  const nameOf = (symbol: number): string => symbols[symbol]?.path.replaceAll(/~\d+/g, "") ?? "the file";
  const targetOf = (to: EdgeTarget): string => ("symbol" in to ? nameOf(to.symbol) : JSON.stringify(to));
  const describeSymbol = ({ kind, parent, flags, signature, type, bases, doc }: SymbolRecord, at: number): string =>
    // The `impl`s of Rust stand in any order, and so do the traits that they name.
    [kind, nameOf(at), "in", nameOf(parent), ...flags, signature, type, ...[...bases].sort(), doc].join(" ");
  return [
    ...symbols.map(describeSymbol),
    ...edges.map(({ kind, tier, from, to }) => `${nameOf(from)} ${kind} ${tier} ${targetOf(to)}`),
  ].sort();
}

/** All that a build does with one file before files meet. */
async function prepare(path: string, bytes: Uint8Array): Promise<void> {
  const collection = { ...PAGES, kind: path.endsWith(".html") ? "site" : PAGES.kind } as CollectionConfig;
  const source = decodeSource(path, bytes);
  const prepareOnce = async () =>
    prepareDocument({ number: 0, collection: 0, path }, collection, source, await loadParsers([path]));
  let prepared = await prepareOnce();
  if (wantsFreshHeap()) prepared = await prepareOnce();
  if (!prepared.ok) return;
  const { sections, isSource } = prepared.document.card;
  for (const [at, [, , parent, , , startLine, endLine]] of sections.entries()) {
    expect(parent).toBeLessThan(at);
    expect(endLine).toBeGreaterThanOrEqual(startLine - 1);
  }
  const { code } = packDocument(prepared.document);
  if (!isSource) return;
  const { file, sectionOf } = decodeOutline(code);
  for (const [at, { parent, start, end }] of file.symbols.entries()) {
    expect(parent).toBeLessThan(at);
    expect(end.line).toBeGreaterThanOrEqual(start.line);
    expect(sectionOf[at]).toBeLessThan(sections.length);
  }
  const uses = decodeCodeUses(code);
  for (const { from } of [...uses, ...file.imports]) expect(from).toBeLessThan(file.symbols.length);
  linkCode({
    files: [
      {
        ...{ collection: "code", id: path, path, hash: "0".repeat(16) },
        ...{ code: { ...file, uses }, sectionOf: (it) => sectionOf[it] ?? 0 },
      },
    ],
    manifests: [],
  });
}

it("has a source for each language, without a syntax error", () => {
  expect([...new Set(SOURCES.map(codeLanguageOf))].sort()).toEqual([...CODE_LANGUAGES].sort());
  expect(SOURCES.filter((name) => link(name, textOf(name)).errors > 0)).toEqual([]);
});

describe.each(SOURCES)("%s", (name) => {
  const text = textOf(name);

  it("gives the same symbols and edges whatever the order of its declarations", () => {
    const [head = "", ...pieces] = text.trimEnd().split("\n\n\n");
    const facts = factsOf(name, text);
    expect(facts.length).toBeGreaterThan(2 * pieces.length);
    const anyOrder = fc.shuffledSubarray(pieces, { minLength: pieces.length });
    fc.assert(
      fc.property(anyOrder, (ordered) => {
        expect(factsOf(name, `${[head, ...ordered].join("\n\n\n")}\n`)).toEqual(facts);
      }),
      { numRuns: runs(20) },
    );
  });

  it("gives the same with CRLF and a byte order mark", () => {
    const plain = link(name, text);
    const crlf = text.replaceAll("\n", "\r\n");
    expect(link(name, `\ufeff${text}`)).toEqual(plain);
    expect(link(name, crlf)).toEqual(plain);
    expect(link(name, `\ufeff${crlf}`)).toEqual(plain);
  });

  it("gives the same one line further down after an empty line at its top", () => {
    const [first = "", ...rest] = text.split("\n");
    // A shebang and `<?php` stay on the first line.
    const isFixed = /^(?:#!|<\?php)/.test(first);
    const moved = link(name, (isFixed ? [first, "", ...rest] : ["", first, ...rest]).join("\n"));
    const down = ({ line, column }: { readonly line: number; readonly column: number }) => ({ line: line + 1, column });
    const { symbols, edges, errors } = link(name, text);
    expect(moved).toEqual({
      errors,
      symbols: symbols.map((symbol) => ({
        ...symbol,
        at: down(symbol.at),
        start: down(symbol.start),
        end: down(symbol.end),
      })),
      edges: edges.map(({ at, otherName, ...edge }) => ({
        ...edge,
        at: down(at),
        ...(otherName && { otherName: { ...otherName, at: down(otherName.at) } }),
      })),
    });
  });
});

/** Changes that a source gets by accident: half a file, a lost line, a sign too many. */
function anyDamage(text: string): fc.Arbitrary<Uint8Array> {
  const bytes = encodeUtf8(text);
  const lines = text.split("\n");
  const place = fc.nat({ max: bytes.length });
  const line = fc.nat({ max: lines.length - 1 });
  const inserted = fc.constantFrom(
    "\0",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    '"',
    "'",
    "`",
    "/*",
    "*/",
    "\r",
    "\ud800",
    "---",
  );
  return fc.oneof(
    place.map((at) => bytes.slice(0, at)),
    place.map((at) => bytes.slice(at)),
    line.map((at) => encodeUtf8(lines.toSpliced(at, 1).join("\n"))),
    fc.tuple(line, line).map(([from, to]) => encodeUtf8(lines.toSpliced(to, 0, lines[from] ?? "").join("\n"))),
    fc.tuple(place, inserted).map(([at, sign]) => encodeUtf8(text.slice(0, at) + sign + text.slice(at))),
    fc.constantFrom(encodeUtf8(text + text), encodeUtf8(`\ufeff${text.replaceAll("\n", "\r\n")}`)),
  );
}

describe.each(NAMES)("%s, damaged,", (name) => {
  it("is prepared and linked", async () => {
    await fc.assert(
      fc.asyncProperty(anyDamage(textOf(name)), (bytes) => prepare(name, bytes)),
      { numRuns: runs(120) },
    );
  });
});
