/**
 * Edits of a corpus whose cost is measured: what people do to documentation between two builds.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { comparePaths } from "../indexer/base/globs.ts";
import { sampleText } from "./draw-queries.ts";
import { makeRandom } from "./random.ts";

const EDITED_PAGES = 5;
const PARAGRAPH_LINES = 4;
const ADDED_SECTIONS = 4;

/** An edit: new text by path, undefined for a page that goes. */
export interface Edit {
  readonly name: string;
  readonly changes: ReadonlyMap<string, string | undefined>;
}

/** The name of the edit that a rebuild is timed after. */
export const TIMED_EDIT = "different paragraphs in 5 pages";

/** The pages below a folder, in the order of their paths. */
export function listPages(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:md|mdx|markdown)$/i.test(path))
    .sort(comparePaths);
}

/** The edits of a corpus: paragraphs out of its own sentences, in pages spread evenly. */
export function planEdits(dir: string, paths: readonly string[], seed: number): Edit[] {
  const random = makeRandom(seed);
  const { sentences, headings } = sampleText(dir, random);
  const draw = (from: readonly string[]): string => from[Math.floor(random() * from.length)] as string;
  const paragraph = (): string => Array.from({ length: PARAGRAPH_LINES }, () => draw(sentences)).join("\n");
  const read = (path: string): string => readFileSync(join(dir, path), "utf8");
  const spread = Array.from(
    { length: Math.min(EDITED_PAGES, paths.length) },
    (_, at) => paths[Math.floor(((at + 0.5) * paths.length) / EDITED_PAGES)] as string,
  );
  const middle = spread[Math.floor(spread.length / 2)] as string;
  const renamed = middle.replace(/(\.\w+)$/, "-renamed$1");
  const same = paragraph();
  const added = Array.from(
    { length: ADDED_SECTIONS },
    () => `## ${draw(headings)}\n\n${paragraph()}\n\n${paragraph()}`,
  );
  return [
    { name: "nothing", changes: new Map() },
    {
      name: "the same paragraph in 5 pages",
      changes: new Map(spread.map((path) => [path, insertParagraph(read(path), same)])),
    },
    {
      name: TIMED_EDIT,
      changes: new Map(spread.map((path) => [path, insertParagraph(read(path), paragraph())])),
    },
    {
      name: "one page added",
      changes: new Map([[join(dirname(middle), "added-page.md"), `# ${draw(headings)}\n\n${added.join("\n\n")}\n`]]),
    },
    { name: "one page deleted", changes: new Map([[middle, undefined]]) },
    {
      name: "one page renamed",
      changes: new Map([
        [middle, undefined],
        [renamed, read(middle)],
      ]),
    },
  ];
}

/** Make an edit in a folder; the function that takes it back. */
export function applyEdit(dir: string, changes: Edit["changes"]): () => void {
  const before = new Map([...changes.keys()].map((path) => [path, readIfThere(join(dir, path))]));
  write(dir, changes);
  return () => write(dir, before);
}

function write(dir: string, changes: Edit["changes"]): void {
  for (const [path, text] of changes) {
    const place = join(dir, path);
    if (text === undefined) rmSync(place, { force: true });
    else {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, text);
    }
  }
}

/** The page with a paragraph more, behind the empty line nearest to its middle that is not inside code. */
export function insertParagraph(page: string, paragraph: string): string {
  const lines = page.split("\n");
  const isFrontmatter = lines[0] === "---";
  let inside = isFrontmatter;
  const places: number[] = [];
  for (const [at, line] of lines.entries()) {
    if (isFrontmatter && at > 0 && inside && line === "---") inside = false;
    else if (/^\s*(?:```|~~~)/.test(line)) inside = !inside;
    else if (!inside && line.trim() === "") places.push(at);
  }
  const place = places[Math.floor(places.length / 2)] ?? lines.length;
  return [...lines.slice(0, place), "", paragraph, "", ...lines.slice(place + 1)].join("\n");
}

function readIfThere(place: string): string | undefined {
  try {
    return readFileSync(place, "utf8");
  } catch {
    return undefined;
  }
}
