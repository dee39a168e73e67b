/**
 * A syntax tree as flat lists of numbers: nodes in the order of the source, each before its children.
 *
 * A node of tree-sitter lives in the memory of WebAssembly, and each question about it is a call there. So the tree is
 * copied once, by one walk of a cursor, and given up at once; everything behind this works on numbers and the text, and
 * can neither leak the tree nor overflow the stack on deep nesting.
 */

import type { Language, Tree } from "web-tree-sitter";
import { countFirst } from "../../../src/core/bytes/numbers.ts";
import type { CodePosition } from "../../../src/core/format/code-model.ts";

/** No node: what asks for a child or a parent that is not there gets this. */
export const NONE = -1;

/** A tree of more nodes is cut: about 8 MB of source, while what a person writes stays below a tenth of that. */
const MAX_NODES = 1_500_000;

const ERROR_KIND = 65_535;
const FIRST_CAPACITY = 16_384;

/** Names of a grammar's nodes and fields. */
export function nodeNamesOf(language: Language) {
  return {
    /** Names of node types by number. Those of words and signs, which have no rule of their own, stand in quotes: `"async"`. */
    types: language.types.map((name, number) => (language.nodeTypeIsNamed(number) ? name : `"${name}"`)),
    fieldNumbers: new Map(language.fields.flatMap((name, number) => (name === null ? [] : [[name, number] as const]))),
  };
}

/** What a grammar calls its nodes and fields: one for each language, made once. */
export type NodeNames = Readonly<ReturnType<typeof nodeNamesOf>>;

/** Lines of a text, which end at a line feed and nowhere else, as in the rest of the index. Offsets are in UTF-16 units. */
export class SourceLines {
  readonly text: string;
  readonly #starts = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  /** 1-based line of an offset. */
  lineAt(offset: number): number {
    return countFirst(this.#starts.length, (line) => (this.#starts[line] as number) <= offset);
  }

  /** Offset of the first character of a 1-based line. */
  lineStart(line: number): number {
    return this.#starts[line - 1] ?? this.text.length;
  }

  /** Line and column of an offset, both 1-based. */
  positionAt(offset: number): CodePosition {
    const line = this.lineAt(offset);
    return { line, column: offset - this.lineStart(line) + 1 };
  }
}

/** One file's tree. Nodes are numbers from 0 (the root) to `count`; places are UTF-16 offsets into `text`. */
export class SyntaxTree extends SourceLines {
  readonly names: NodeNames;
  count = 0;
  /** Parts that could not be parsed. */
  errors = 0;
  /** Whether nodes are missing because there were too many. */
  isCut = false;
  kinds = new Uint16Array(FIRST_CAPACITY);
  starts = new Uint32Array(FIRST_CAPACITY);
  ends = new Uint32Array(FIRST_CAPACITY);
  fields = new Uint16Array(FIRST_CAPACITY);
  parents = new Int32Array(FIRST_CAPACITY);
  /** The node behind a node and all that is inside it. */
  afters = new Uint32Array(FIRST_CAPACITY);

  /** Copies `tree`, which may be deleted afterwards. */
  constructor(tree: Tree, text: string, names: NodeNames) {
    super(text);
    this.names = names;
    this.#copy(tree);
  }

  /** Type of a node; `""` for {@link NONE}, `ERROR` for what could not be parsed. */
  type(node: number): string {
    return node < 0 ? "" : (this.names.types[this.kinds[node] as number] ?? "ERROR");
  }

  /** Source of a node; `""` for {@link NONE}. */
  textOf(node: number): string {
    return node < 0 ? "" : this.text.slice(this.starts[node], this.ends[node]);
  }

  /** A qualified name without the white space that may be written in it. */
  pathText(node: number): string {
    return this.textOf(node).replace(/\s+/g, "");
  }

  /** Words in the children of some types, such as the modifiers of a declaration. */
  wordsIn(node: number, ...types: readonly string[]): Set<string> {
    const holders = this.children(node).filter((child) => types.includes(this.type(child)));
    return new Set(holders.flatMap((child) => this.textOf(child).split(/[\s(]+/)));
  }

  start(node: number): number {
    return this.starts[node] as number;
  }

  end(node: number): number {
    return this.ends[node] as number;
  }

  parent(node: number): number {
    return node < 0 ? NONE : (this.parents[node] as number);
  }

  /** The node behind `node` and all inside it. */
  after(node: number): number {
    return this.afters[node] as number;
  }

  /** Whether the grammar has a rule for the node: no sign and no keyword. */
  isNamed(node: number): boolean {
    return !this.type(node).startsWith('"');
  }

  /** Children in the order of the source, words and signs included. */
  children(node: number): number[] {
    const found: number[] = [];
    if (node < 0) return found;
    const end = this.after(node);
    for (let child = node + 1; child < end; child = this.after(child)) found.push(child);
    return found;
  }

  /** Children that the grammar has a rule for, in the order of the source. */
  named(node: number): number[] {
    return this.children(node).filter((child) => this.isNamed(child));
  }

  /** First child in a field of its parent; {@link NONE} where there is none. */
  field(node: number, name: string): number {
    if (node < 0) return NONE;
    const wanted = this.names.fieldNumbers.get(name);
    if (wanted === undefined) return NONE;
    const end = this.after(node);
    for (let child = node + 1; child < end; child = this.after(child)) {
      if (this.fields[child] === wanted && this.kinds[child] !== ERROR_KIND) return child;
    }
    return NONE;
  }

  /** All children in a field of their parent. */
  allIn(node: number, name: string): number[] {
    const wanted = this.names.fieldNumbers.get(name);
    return wanted === undefined ? [] : this.children(node).filter((child) => this.fields[child] === wanted);
  }

  /** First child of one of these types; {@link NONE} where there is none. */
  child(node: number, ...types: readonly string[]): number {
    if (node < 0) return NONE;
    const end = this.after(node);
    for (let child = node + 1; child < end; child = this.after(child)) {
      if (types.includes(this.type(child))) return child;
    }
    return NONE;
  }

  /** First node inside `node` of one of these types; {@link NONE} where there is none. */
  descendant(node: number, ...types: readonly string[]): number {
    if (node < 0) return NONE;
    for (let inner = node + 1; inner < this.after(node); inner++) if (types.includes(this.type(inner))) return inner;
    return NONE;
  }

  /** The node in front of it under the same parent; {@link NONE} for the first. */
  previous(node: number): number {
    let found = NONE;
    const parent = this.parent(node);
    if (parent < 0) return NONE;
    // Whatever stands in front ends with the node before this one: climb from there.
    for (let at = node - 1; at > parent; at = this.parent(at)) found = at;
    return found;
  }

  #copy(tree: Tree): void {
    const cursor = tree.walk();
    let node = 0;
    let parent = NONE;
    try {
      walk: for (;;) {
        node = this.count++;
        if (node === this.kinds.length) this.#grow();
        const kind = cursor.nodeTypeId;
        const start = cursor.startIndex;
        const end = cursor.endIndex;
        this.kinds[node] = kind;
        this.starts[node] = start;
        this.ends[node] = end;
        this.fields[node] = cursor.currentFieldId;
        this.parents[node] = parent;
        if (kind === ERROR_KIND || (start === end && cursor.nodeIsMissing)) this.errors++;
        if (this.count === MAX_NODES) {
          this.isCut = true;
          break;
        }
        if (cursor.gotoFirstChild()) {
          parent = node;
          continue;
        }
        this.afters[node] = this.count;
        while (!cursor.gotoNextSibling()) {
          if (!cursor.gotoParent()) break walk;
          this.afters[parent] = this.count;
          parent = this.parents[parent] as number;
        }
      }
    } finally {
      cursor.delete();
    }
    // What was open when the tree was cut ends with it.
    for (let open = this.isCut ? node : NONE; open >= 0; open = this.parents[open] as number) {
      this.afters[open] = this.count;
    }
  }

  #grow(): void {
    const grown = <List extends Uint16Array | Uint32Array | Int32Array>(list: List, into: List): List => {
      into.set(list);
      return into;
    };
    const capacity = this.kinds.length * 2;
    this.kinds = grown(this.kinds, new Uint16Array(capacity));
    this.starts = grown(this.starts, new Uint32Array(capacity));
    this.ends = grown(this.ends, new Uint32Array(capacity));
    this.fields = grown(this.fields, new Uint16Array(capacity));
    this.parents = grown(this.parents, new Int32Array(capacity));
    this.afters = grown(this.afters, new Uint32Array(capacity));
  }
}
