/**
 * Markdown under construction: lines with what stands before each of them in quotes and lists.
 *
 * Pure.
 */

/** What begins the lines of a quote or list item: an item's mark stands on its first line alone. */
interface Container {
  first: string;
  rest: string;
  readonly isList: boolean;
}

/** Deeper ones are written as this one, so that no nesting makes lines long. */
const MAX_CONTAINERS = 12;

/** Lines of a page in the making. */
export class MarkdownLines {
  readonly #lines: string[] = [];
  readonly #containers: Container[] = [];
  #needsGap = false;

  /** Number of the line, from 1 on, on which a block begins that is added now. */
  get nextLine(): number {
    return this.#lines.length + (this.#needsGap && this.#lines.length > 0 ? 2 : 1);
  }

  /** Whether a quote or a list item is open. */
  get isInside(): boolean {
    return this.#containers.some(({ rest }) => rest !== "");
  }

  /** Adds a block of lines, an empty one before it where another block stands there. */
  add(lines: readonly string[]): void {
    this.#gap();
    for (const line of lines) this.#lines.push(this.#begin(line));
    this.#needsGap = true;
  }

  /** Begins a quote or a list item. @param first What its first line begins with. @param rest What all others do. */
  open(first: string, rest: string): void {
    this.#gap();
    this.#containers.push({ first, rest, isList: !rest.startsWith(">") });
  }

  /** Lets what comes stand outside of the list items that are open: a heading of a section is none of an item's. */
  leaveLists(): void {
    for (const container of this.#containers) {
      if (!container.isList || container.rest === "") continue;
      this.#needsGap = !/^[>\s]*$/.test(this.#lines.at(-1) ?? "");
      container.first = "";
      container.rest = "";
    }
  }

  /** Ends what was opened last. */
  close(): void {
    const container = this.#containers.at(-1);
    // An item without text is its mark.
    if (container !== undefined && container.first !== container.rest) this.#lines.push(this.#begin(""));
    this.#containers.pop();
    this.#needsGap = true;
  }

  /** What is added next comes on the next line. */
  stayTight(): void {
    this.#needsGap = false;
  }

  /** All of it, with a line end behind the last line; `""` for no lines. */
  finish(): string {
    return this.#lines.length === 0 ? "" : `${this.#lines.join("\n")}\n`;
  }

  #gap(): void {
    if (this.#needsGap && this.#lines.length > 0) this.#lines.push(this.#begin(""));
    this.#needsGap = false;
  }

  #begin(line: string): string {
    let before = "";
    for (const [at, container] of this.#containers.entries()) {
      if (at < MAX_CONTAINERS) before += container.first;
      container.first = container.rest;
    }
    return line === "" ? before.trimEnd() : before + line;
  }
}
