/**
 * Lists of places as lines of a card, by file and by what they lie in:
 *
 * ```
 * called by: here createTool 12,40 | src/run.ts run 7; stop 9 | …/other.ts 3
 * ```
 *
 * `here` is the file of the card; `…/` stands for the folder of the file before.
 */
import { pathOf } from "../../core/docs/node-id.ts";
import { foldLine, formatCount } from "./text.ts";

/** Characters of a line of a whole list: answers are cut between lines. */
const LINE_LENGTH = 400;
/** Characters of all lists of a card, and of one behind them. */
const MAX_LISTS = 900;
const LEAST_LIST = 100;

/** A line of a card, or a part of a long list. */
export interface CardItem {
  readonly text: string;
  /** Places that it lists. */
  readonly places: number;
  /** Name and value in JSON. */
  readonly field: string;
  readonly value: unknown;
}

/** Something at a line of a file. */
export interface ListedPlace {
  /** Document id. */
  readonly file: string;
  readonly line: number;
  /** What the line lies in; "" for the file. */
  readonly name: string;
}

/** A line of a card. */
export function item(field: string, text: string, value: unknown = text, places = 0): CardItem {
  return { text, places, field, value };
}

/** Lists of a card as its lines. */
export class PlaceLists {
  readonly items: CardItem[] = [];
  /** Files of the places so far. */
  readonly files = new Set<string>();
  readonly #own: string;
  readonly #asked: ReadonlySet<string>;
  readonly #areAllAsked: boolean;
  #length = 0;

  /** @param own Document id of the file whose name is not repeated. @param asked Roles whose lists are wanted whole. */
  constructor(own: string, asked: ReadonlySet<string>, areAllAsked: boolean) {
    this.#own = own;
    this.#asked = asked;
    this.#areAllAsked = areAllAsked;
  }

  /** Lines of files with what they say. */
  addText(label: string, places: readonly (Omit<ListedPlace, "name"> & { readonly text: string })[]): void {
    const shown = places
      .slice(0, MAX_SET)
      .map(({ file, line, text }) => `${pathOf(file)}:${line} ${foldLine(text, MAX_SET_TEXT)}`);
    const left = places.length - shown.length;
    if (left > 0) shown.push(`not complete: ${left} more`);
    if (places.length > 0)
      this.items.push(item(toField(label), `${label}: ${shown.join(" | ")}`, shown, places.length));
  }

  say(field: string, text: string): void {
    this.items.push(item(field, text));
  }

  /** A list by file and name: whole where it is asked for, else so many characters. An empty one only where it is asked for. */
  add(label: string, places: readonly ListedPlace[], most: number, role: string): void {
    const isAsked = this.#asked.has(role) || this.#areAllAsked;
    if (places.length === 0) {
      if (this.#asked.has(role) && !LABELS_OF_FEW.has(label)) this.say(toField(label), `${label}: none found`);
      return;
    }
    for (const { file } of places) this.files.add(file);
    const room = Math.max(LEAST_LIST, Math.min(most, MAX_LISTS - this.#length));
    this.#push(label, entriesOf(places, this.#own), isAsked ? Number.POSITIVE_INFINITY : room);
  }

  /** Files with their lines, of each only the first. */
  addFiles(label: string, places: readonly ListedPlace[]): void {
    if (places.length > 0) this.#push(label, entriesOf(places, this.#own, MAX_LINES), Number.POSITIVE_INFINITY);
  }

  #push(label: string, entries: readonly FileEntry[], most: number): void {
    let length = 0;
    const shown = entries.filter(({ text }, at) => {
      length += text.length + 3;
      return at === 0 || length <= most;
    });
    const left = entries.slice(shown.length);
    const files = new Set(left.map(({ file }) => file)).size;
    const end = left.length > 0 ? ` | not complete: ${countPlaces(left)} more in ${formatCount(files, "file")}` : "";
    const lines = intoLines(shown, Math.max(LINE_LENGTH, Number.isFinite(most) ? most : 0));
    for (const [at, line] of lines.entries()) {
      const start = at === 0 ? `${label}: ` : "| ";
      const text = `${start}${line.map((entry) => entry.text).join(" | ")}${at === lines.length - 1 ? end : ""}`;
      const value = line.flatMap(({ json }) => json);
      this.items.push(item(toField(label), text, value, countPlaces(line)));
      this.#length += text.length;
    }
  }
}

function countPlaces(entries: readonly FileEntry[]): number {
  return entries.reduce((sum, { places }) => sum + places, 0);
}

/** Entries of lines of so many characters. */
function intoLines(entries: readonly FileEntry[], most: number): FileEntry[][] {
  const lines: FileEntry[][] = [];
  let length = most;
  for (const entry of entries) {
    if (length + entry.text.length > most) {
      lines.push([]);
      length = 0;
    }
    lines.at(-1)?.push(entry);
    length += entry.text.length;
  }
  return lines;
}

/** Places that give a member its value by name, and characters of each. */
const MAX_SET = 4;
const MAX_SET_TEXT = 80;
/** Lists that are not missed where they are empty. */
const LABELS_OF_FEW: ReadonlySet<string> = new Set(["written by", "re-exported by", "by name alone, perhaps"]);
/** Lines of a file in the list of all files. */
const MAX_LINES = 8;
/** Characters of an entry behind which a file goes on in another. */
const MAX_ENTRY = 300;

/** Places of one file, or some of them. */
interface FileEntry {
  readonly file: string;
  readonly text: string;
  readonly places: number;
  readonly json: { readonly path: string; readonly in: string; readonly lines: readonly number[] }[];
}

/** Places by file and what they lie in. A file in the folder of the one before is named without it. */
function entriesOf(places: readonly ListedPlace[], own: string, mostLines = Number.POSITIVE_INFINITY): FileEntry[] {
  const byFile = Map.groupBy(places, ({ file }) => file);
  const inOrder = [...byFile.keys()].sort((a, b) => Number(b === own) - Number(a === own));
  const files = [...Map.groupBy(inOrder, folderOf).values()].flat();
  let folder = folderOf(own);
  return files.flatMap((file) => {
    const path = pathOf(file);
    const isNear = folderOf(file) === folder && folder.length > 4;
    const shown = file === own ? "here" : isNear ? `…/${path.slice(folder.length)}` : path;
    folder = folderOf(file);
    const named = [...Map.groupBy(byFile.get(file) ?? [], ({ name }) => name)].map(([name, own]) => ({
      name,
      lines: [...new Set(own.map(({ line }) => line))].sort((a, b) => a - b),
    }));
    const entries: FileEntry[] = [];
    let texts: string[] = [];
    let json: FileEntry["json"] = [];
    let count = 0;
    const flush = (): void => {
      entries.push({ file, text: `${shown} ${texts.join("; ")}`, places: count, json });
      texts = [];
      json = [];
      count = 0;
    };
    for (const { name, lines } of named) {
      if (texts.join("; ").length > MAX_ENTRY) flush();
      const more = lines.length > mostLines ? `,+${lines.length - mostLines}` : "";
      texts.push(`${name === "" ? "" : `${name} `}${lines.slice(0, mostLines).join(",")}${more}`);
      json.push({ path, in: name, lines });
      count += lines.length;
    }
    flush();
    return entries;
  });
}

function folderOf(id: string): string {
  const path = pathOf(id);
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function toField(label: string): string {
  return label.replace(/[ -,]+(\w)/g, (_, letter: string) => letter.toUpperCase());
}
