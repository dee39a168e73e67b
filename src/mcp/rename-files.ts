/** Every file in which the name of a symbol stands, by what it is there: what a rename has to look at. */
import { incomingEdges } from "../core/code/edges.ts";
import type { LoadedSymbol } from "../core/code/model.ts";
import { isMember } from "../core/code/rename-family.ts";
import { roleOf } from "../core/docs/roles.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { LARGE_BOUNDS } from "../core/search/grep.ts";
import { codeLanguageOf } from "../core/text/code-languages.ts";
import { formatCount } from "../surface/render/numbers.ts";
import type { ListedPlace } from "../surface/render/place-lists.ts";
import { grepName, loadOthers, meantElsewhere, wordsOfLines } from "./word-places.ts";

const MAX_EDGES = 6_000;

/** Places in pages where a name stands, changelogs left out. */
export async function listPages(reader: IndexReader, name: string) {
  const { files, isWhole } = await grepName(reader, name, (path) => codeLanguageOf(path) === undefined, LARGE_BOUNDS);
  const places = files
    .filter(({ id }) => roleOf(reader, id) === "production")
    .flatMap(({ id, matches }) =>
      [...wordsOfLines(id, matches, name)].map(({ at }) => ({ file: id, line: at.line, name: "" })),
    );
  return { places, isWhole };
}

/** Lists of places: those that lead to the symbol, those in tests, in pages, and those of which the text alone is known. */
export async function listFiles(reader: IndexReader, declarations: readonly LoadedSymbol[]) {
  const [first] = declarations;
  if (first === undefined) return { lists: [], note: "" };
  const { name } = first.record;
  const [found, lines] = await Promise.all([
    incomingEdges(
      reader,
      declarations.map(({ id }) => ({ id })),
      {},
      { offset: 0, limit: MAX_EDGES },
    ),
    grepName(reader, name, () => true, LARGE_BOUNDS),
  ]);
  const own = new Map<string, ListedPlace>();
  const add = (file: string, line: number): unknown => own.set(`${file}:${line}`, { file, line, name: "" });
  for (const { inFile, record } of declarations) add(inFile.id, record.at.line);
  for (const { file, at, tier } of found.edges) if (tier !== "name") add(file.record.id, at.line);
  // Places that use it by another name stay.
  const named = new Set(lines.files.flatMap(({ id, matches }) => matches.map(({ line }) => `${id}:${line}`)));
  for (const key of own.keys()) if (lines.isWhole && !named.has(key)) own.delete(key);
  const others = await loadOthers(
    reader,
    lines.files.flatMap(({ id }) => (codeLanguageOf(id) === undefined ? [] : [id])),
  );
  const loaded = new Map(others.files.map((file) => [file.record.id, file]));
  const ids = new Set(declarations.map(({ id }) => id));
  const pages: ListedPlace[] = [];
  const text: ListedPlace[] = [];
  let elsewhere = 0;
  for (const { id, matches } of lines.files) {
    const known = meantElsewhere(loaded.get(id), ids, isMember(first));
    for (const { at } of wordsOfLines(id, matches, name)) {
      const place = { file: id, line: at.line, name: "" };
      if (own.has(`${id}:${at.line}`)) continue;
      if (codeLanguageOf(id) === undefined) pages.push(place);
      else if (known.has(`${at.line}:${at.column}`)) elsewhere++;
      else text.push(place);
    }
  }
  const places = [...own.values()];
  const isProduct = ({ file }: ListedPlace): boolean => roleOf(reader, file) === "production";
  const isHistory = ({ file }: ListedPlace): boolean => roleOf(reader, file) === "history";
  const isCut = others.isCut || !lines.isWhole || found.total > found.edges.length;
  const notes = [
    ...(elsewhere > 0 ? [`${formatCount(elsewhere, "place")} of other symbols of that name left out`] : []),
    ...(isCut ? ["not complete: not all files with that word were read; grep finds the rest"] : []),
  ];
  const sorted = [
    { label: "files", places: places.filter(isProduct) },
    { label: "tests and examples", places: places.filter((place) => !isProduct(place)) },
    { label: "by text alone (strings, comments, unknown receivers)", places: text },
    { label: "docs and other files", places: pages.filter((place) => !isHistory(place)) },
    { label: "changelogs", places: pages.filter(isHistory) },
  ];
  return { lists: sorted, note: notes.join("; ") };
}
