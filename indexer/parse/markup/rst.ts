/**
 * reStructuredText, as docutils and Sphinx read it, to sections: a documented subset (docs/page-formats.md).
 *
 * Blocks are read line by line and without nesting: what stands in a directive or a list item is read as ordinary text. A label becomes an id
 * of its section; `:ref:` becomes a link `ref:label`, which is resolved in the collection.
 */
import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import { normalizeSource } from "../markdown/page-text.ts";
import type { ParsedDocument } from "../parsed-document.ts";
import { type InlineText, indentOf, isBlank, isLong, LinePage, type MarkupSource, readInline } from "./line-page.ts";

const ADORNMENT = /^([!-/:-@[-`{-~])\1*$/;
/** A shorter underline must be as long as its title. */
const LONG_ADORNMENT = 4;
const BULLET = /^[*+\-•‣⁃](?:\s+|$)/;
const ITEM = /^(?:(?:[*+\-•‣⁃]|(?:\d{1,9}|#|[A-Za-z]|[ivxlcdm]{1,8})[.)]|\((?:\d{1,9}|#|[A-Za-z])\))(?:\s+|$))+/;
const FIELD = /^:((?:[^:`\\\s]|\\.|:(?=\S)|\s(?=\S)){1,100}):(?=\s|$)/;
const EXPLICIT = /^\.\.(?:\s+|$)/;
const DIRECTIVE = /^([A-Za-z][\w.+-]{0,60}(?::[A-Za-z][\w.+-]{0,60}){0,3}) ?::(?=\s|$)/;
const TABLE_BORDER = /^\s*(?:\+(?:[-=]+\+)+|[=-]{2,}(?: +[=-]{2,})+)\s*$/;

/** Directives whose body is code, with its language where it is not their argument. */
const CODE: ReadonlyMap<string, string> = new Map(
  (
    "code-block: sourcecode: code: parsed-literal: testoutput: prompt: productionlist: math: doctest:python testcode:python ipython:python " +
    "plot:python jupyter-execute:python mermaid:mermaid graphviz:dot digraph:dot graph:dot kernel-render:dot uml:plantuml plantuml:plantuml"
  )
    .split(" ")
    .map((entry) => entry.split(":") as [string, string]),
);
/** Directives whose argument is a version. */
const CHANGES: Readonly<Record<string, string>> = {
  versionadded: "Added in version",
  versionchanged: "Changed in version",
  deprecated: "Deprecated since version",
};
/** Directives that show nothing of their own, or nothing that is text. */
const HIDDEN =
  /^(?:contents|sectnum|index|raw|role|default-role|tabularcolumns|highlight|currentmodule|toctree|meta|include|literalinclude|test(?:setup|cleanup)|\w+author|target-notes|title)$/;
/** Directives whose argument is no text; their body is. */
const NO_ARGUMENT =
  /^(?:only|ifconfig|container|rst-class|cssclass|(?:kernel-)?(?:image|figure)|list-table|tabs|tab-set|grid|hlist|glossary)$/;
/** Directives of Sphinx that describe an object: their arguments are signatures, and its name is an id. */
const OBJECT =
  /^(?:function|class|method|classmethod|staticmethod|abstractmethod|coroutinefunction|decorator|decoratormethod|attribute|data|exception|property|type|macro|struct|enum|enumerator|union|member|var|module|option|cmdoption|envvar|confval|setting|directive|role|describe|object|opcode|auto\w+)$/;
const INLINE = new RegExp(
  [
    String.raw`\\(?<escaped>[\s\S]?)`,
    "``(?<literal>[^`]+)``",
    "(?::(?<role>[A-Za-z][\\w:+.-]{0,60}):)?`(?<text>[^`]+)`(?<suffix>__?(?!\\w)|:[A-Za-z][\\w:+.-]{0,60}:)?",
    String.raw`\|(?=\S)(?<substitution>[^|\n]{1,80})\|_{0,2}`,
    String.raw`(?<note> ?\[(?:#?[\w.-]{0,80}|\*)\]_(?!\w))`,
    String.raw`(?<url>https?:\/\/[^\s<>"|\x60]*[^\s<>"|.,;:!?)\]*_\x60])`,
    String.raw`(?<![\w.])(?<reference>[A-Za-z0-9][\w.+-]{0,80}?)__?(?![\w.])`,
    String.raw`(?<!\w)\*\*(?=\S)(?<strong>[^*]+)\*\*(?!\w)`,
    String.raw`(?<!\w)\*(?=\S)(?<emphasis>[^*]*[^*\s])\*(?!\w)`,
  ].join("|"),
  "g",
);
/** Text that takes the place of one substitution. */
const MAX_REPLACEMENT = 300;

/** Document of a page of reStructuredText. Never throws for its content. */
export function parseRst({ path, text }: MarkupSource): ParsedDocument {
  const reader = new RstReader(normalizeSource(text));
  if (/(?<!\.rst)\.txt$/i.test(path)) reader.readPlain();
  else reader.read();
  return reader.page.finish(path);
}

class RstReader {
  readonly page: LinePage;
  /** Kinds of adornment in order of their first use. */
  readonly #styles: string[] = [];
  readonly #targets = new Map<string, string>();
  readonly #substitutions = new Map<string, string>();
  readonly #anchors = new Set<string>();
  #labels: string[] = [];
  #language = "";
  #module = "";
  /** Names of the described objects around the current line, by the columns that they begin in. */
  readonly #objects: (string | undefined)[] = [];
  /** Whether fields are those of the page: before any text. */
  #isTop = true;
  constructor(text: string) {
    this.page = new LinePage(text);
    for (const line of this.page.lines) if (!isLong(line)) this.#define(line.trimStart());
  }

  read(): void {
    const { page } = this;
    while (page.at < page.lines.length) {
      const line = page.lines[page.at] as string;
      if (isBlank(line)) page.at++;
      else if (isLong(line)) this.#addParagraph(indentOf(line), indentOf(line));
      else if (TABLE_BORDER.test(line)) page.at++;
      else if (!this.#readExplicit(line) && !this.#readTitle(line)) this.#readText(line);
    }
  }

  /** Reads plain text: underlined titles, a first line that stands alone, paragraphs. */
  readPlain(): void {
    const { page } = this;
    page.skipBlank();
    const first = page.lines[page.at] ?? "";
    if (!isLong(first) && isBlank(page.lines[page.at + 1]) && /\w.*[^.:;,]$/.test(first.trimEnd()))
      this.#addTitle(first, "", page.at + 1, 1);
    while (page.at < page.lines.length) {
      const line = page.lines[page.at] as string;
      if (isBlank(line)) page.at++;
      else if (isLong(line) || !this.#readTitle(line)) {
        const start = page.at + 1;
        page.addText({ text: foldWhitespace(page.takeParagraph(0, () => false)), links: [] }, start);
      }
    }
  }

  /** Notes what references lead to: they may stand before it. */
  #define(line: string): void {
    if (!line.startsWith("..")) return;
    const [, substitution, replacement] = /^\.\.\s+\|([^|]+)\|\s+(?:replace|unicode)::\s*(.*)$/.exec(line) ?? [];
    if (substitution !== undefined)
      this.#substitutions.set(substitution, (replacement as string).slice(0, MAX_REPLACEMENT));
    const target = readTarget(line.replace(EXPLICIT, ""));
    if (target !== undefined) this.#targets.set(normaliseName(target.name), target.href || `#${toId(target.name)}`);
  }

  #readExplicit(line: string): boolean {
    const { page } = this;
    const indent = indentOf(line);
    const body = line.slice(indent);
    const marks = EXPLICIT.exec(body)?.[0];
    if (marks === undefined) return false;
    const content = body.slice(marks.length);
    const target = readTarget(content);
    const [directive, name = ""] = DIRECTIVE.exec(content) ?? [];
    const [note] = /^\[[^\]\s]{1,100}\](?:\s+|$)/.exec(content) ?? [];
    if (target !== undefined) {
      page.at++;
      if (target.href === "") this.#labels.push(target.name);
    } else if (directive !== undefined) {
      this.#readDirective(name.replace(/^[a-z]+:/, ""), indent, indent + marks.length + directive.length);
    } else if (note !== undefined) {
      this.#addParagraph(indent, indent + marks.length + note.length);
    } else {
      // A comment, or a definition that was noted before. Two dots alone before a blank line are a comment without a body.
      page.at++;
      if (content !== "" || !isBlank(page.lines[page.at])) page.at = page.findDedent(page.at, indent);
    }
    return true;
  }

  /** @param argumentAt Column behind the `::`. */
  #readDirective(name: string, indent: number, argumentAt: number): void {
    const { page } = this;
    const line = page.lines[page.at] as string;
    const argument = line.slice(argumentAt).trim();
    const start = page.at + 1;
    const language = CODE.get(name);
    if (!HIDDEN.test(name)) this.#flushLabels();
    if (name === "module" || name === "currentmodule") this.#module = argument;
    if (name === "highlight") this.#language = argument;
    if (OBJECT.test(name)) this.#addObjectId(name, argument, indent);
    if (language !== undefined) {
      const from = this.#readOptions(indent, page.at + 1);
      page.at = page.findDedent(from, indent);
      const isNamed = /^(?:code-block|sourcecode|code)$/.test(name);
      if (name === "math" && argument !== "") page.collector.addCode(argument, start, "");
      page.addCode(from, page.at, isNamed ? argument || this.#language : language);
    } else if (HIDDEN.test(name)) {
      page.at = page.findDedent(page.at + 1, indent);
      if (name === "toctree" || name === "meta") this.#readEntries(start, page.at);
      else if (/include$/.test(name) && argument !== "")
        page.addText({ text: "", links: [{ href: argument, text: argument }] }, start);
    } else if (argument === "" || NO_ARGUMENT.test(name)) {
      page.at = this.#readOptions(indent, page.at + 1);
    } else {
      // Admonitions, objects and their like: the text begins in the argument.
      this.#addParagraph(indent, argumentAt, CHANGES[name]);
      page.at = this.#readOptions(indent, page.at);
    }
  }

  /** Reads options of a directive: text of some is shown. @returns the index of the line after them. */
  #readOptions(indent: number, from: number): number {
    const { page } = this;
    let at = from;
    for (; at < page.lines.length && indentOf(page.lines[at]) > indent; at++) {
      const option = page.lines[at]?.trim() ?? "";
      const [field, name = ""] = FIELD.exec(option) ?? [];
      if (field === undefined) break;
      const value = option.slice(field.length).trim();
      if (/^(?:alt|caption|title)$/.test(name)) page.addText(this.#inline(value), at + 1, "aside");
      else if (name === "name") page.addId(value);
    }
    return at;
  }

  /** Notes the id of a described object: its name behind those of the objects around it, or of the module. */
  #addObjectId(kind: string, signature: string, indent: number): void {
    const own = /([A-Za-z_][\w.]*)\s*(?:[(:=[]|$)/.exec(signature)?.[1];
    if (own === undefined) return;
    if (kind === "module") {
      this.page.addId(`module-${own}`);
      return;
    }
    this.#objects.length = Math.min(this.#objects.length, indent);
    const around = this.#objects.findLast((name) => name !== undefined) ?? this.#module;
    const name = around === "" || own.startsWith(`${around}.`) ? own : `${around}.${own}`;
    this.#objects[indent] = name;
    this.page.addId(name);
  }

  /** Reads the pages of a table of contents, or properties. */
  #readEntries(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const entry = this.page.lines[at]?.trim() ?? "";
      const [field, name = ""] = FIELD.exec(entry) ?? [];
      if (name === "caption") this.page.addText(this.#inline(entry.slice(field?.length)), at + 1, "aside");
      else if (field !== undefined) this.#setProperty(name.replace(/ .*/, ""), entry.slice(field.length));
      else if (entry !== "" && entry !== "self" && !/[*?]/.test(entry)) {
        const { before: text, target: href = entry } = splitTarget(entry);
        this.page.addText({ text, links: [{ href, text }] }, at + 1, "aside");
      }
    }
  }

  #setProperty(name: string, value: string): void {
    const key = name.toLowerCase();
    if (/^(?:description|keywords|lang|language|tags|summary|author|date|version|status)$/.test(key)) {
      this.page.frontmatter[key] = this.#inline(value).text;
    }
  }

  #readTitle(line: string): boolean {
    const { page } = this;
    const [next = "", third = ""] = page.lines
      .slice(page.at + 1, page.at + 3)
      .map((other) => (isLong(other) ? "long" : other.trimEnd()));
    const over = ADORNMENT.exec(line.trimEnd());
    if (over === null) {
      const [under, sign] = ADORNMENT.exec(next) ?? [];
      if (under === undefined || indentOf(line) > 0 || BULLET.test(line)) return false;
      if (under.length < Math.min(columnsOf(line.trimEnd()), LONG_ADORNMENT)) return false;
      this.#addTitle(line, sign as string, page.at + 1, 2);
      return true;
    }
    const [rule = "", sign = ""] = over;
    const isTitle = !isBlank(next) && ADORNMENT.exec(third)?.[1] === sign && !ADORNMENT.test(next);
    if (isTitle && rule.length >= Math.min(columnsOf(next.trim()), LONG_ADORNMENT)) {
      this.#addTitle(next, sign.repeat(2), page.at + 1, 3);
      return true;
    }
    if (rule.length < LONG_ADORNMENT) return false;
    page.at++;
    return true;
  }

  #addTitle(written: string, style: string, line: number, lines: number): void {
    const { page } = this;
    if (!this.#styles.includes(style)) this.#styles.push(style);
    const title = this.#inline(written.trim());
    const own = toId(title.text);
    this.#objects.length = 0;
    // Docutils numbers repeated ids across a whole page; labels are sure.
    const id = this.#anchors.has(own) ? toId(this.#labels[0] ?? "") : own;
    const explicit = this.#anchors.has(id) ? "" : id;
    this.#anchors.add(explicit);
    page.addHeading(this.#styles.indexOf(style) + 1, title, explicit, line);
    page.at += lines;
    this.#flushLabels();
  }

  #flushLabels(): void {
    for (const label of this.#labels) {
      this.page.addId(normaliseName(label));
      this.page.addId(toId(label));
    }
    this.#labels = [];
  }

  #readText(line: string): void {
    const { page } = this;
    const indent = indentOf(line);
    const body = line.slice(indent);
    const [field, name = ""] = FIELD.exec(body) ?? [];
    if (field !== undefined && this.#isTop && indent === 0) {
      const value = page.takeParagraph(field.length, (next) => indentOf(next) === 0);
      this.#setProperty(name, value);
    } else if (body.startsWith(">>>")) {
      const from = page.at;
      page.takeParagraph(0, () => false);
      page.addCode(from, page.at, "python");
    } else if (/^\|(?: |$)/.test(body)) {
      // Lines of a block, or of a row of a table.
      const start = page.at + 1;
      const lines = page.takeParagraph(indent, (next) => !next.trimStart().startsWith("|"));
      this.#flushLabels();
      page.addText(this.#inline(lines.replace(/^\s*\||(?<=\s)\|(?=\s|$)/gm, " ")), start);
    } else if (field !== undefined) {
      this.#addParagraph(indent, indent + field.length, `${name}:`);
    } else {
      // A number is none of a list where text goes on below it.
      const next = page.lines[page.at + 1] ?? "";
      const isText = !BULLET.test(body) && !isBlank(next) && indentOf(next) <= indent && !ITEM.test(next.trimStart());
      this.#addParagraph(indent, indent + (isText ? 0 : (ITEM.exec(body)?.[0].length ?? 0)));
    }
  }

  /**
   * Reads a paragraph, and the literal block that it announces.
   *
   * @param content Column of its text on the first line: other than `indent` for the item of a list.
   */
  #addParagraph(indent: number, content: number, before = ""): void {
    const { page } = this;
    const start = page.at + 1;
    const isItem = content > indent;
    let rest = isItem ? -1 : indent;
    const written = page.takeParagraph(content, (line) => {
      const column = indentOf(line);
      if (rest < 0) rest = column;
      const body = line.slice(column);
      return (
        column !== rest ||
        (isItem && (column <= indent || FIELD.test(body))) ||
        EXPLICIT.test(body) ||
        TABLE_BORDER.test(line)
      );
    });
    this.#isTop = false;
    this.#flushLabels();
    const isLiteral = written.trimEnd().endsWith("::");
    const shown = isLiteral ? written.trimEnd().replace(/(^|\s)::$|:$/, "$1") : written;
    page.addText(this.#inline(`${before} ${shown}`), start);
    if (!isLiteral) return;
    const from = page.at;
    page.skipBlank();
    const column = isItem ? content : indent;
    if (page.at > from && indentOf(page.lines[page.at]) > Math.min(column, indent + LONG_ADORNMENT)) {
      page.at = page.findDedent(page.at, Math.min(column, indent + LONG_ADORNMENT));
      page.addCode(from, page.at, this.#language);
    }
  }

  #inline(source: string): InlineText {
    return readInline(source, INLINE, (groups, all, link) => {
      const { escaped, literal, role, text, suffix = "" } = groups;
      const { substitution, note, url, reference, strong, emphasis } = groups;
      if (escaped !== undefined) return escaped.trim();
      if (text !== undefined) return this.#readPhrase(text, role ?? suffix.replace(/^_+|:/g, ""), suffix, link);
      if (substitution !== undefined) return this.#substitutions.get(substitution) ?? substitution;
      if (note !== undefined) return "";
      if (url !== undefined) return link(url, url);
      if (reference !== undefined) {
        const href = this.#targetOf(reference);
        return href === undefined ? all : link(href, reference);
      }
      return literal ?? strong ?? emphasis ?? all;
    });
  }

  /** Text in single backticks. */
  #readPhrase(text: string, role: string, suffix: string, link: (href: string, text: string) => string): string {
    const { before, target } = splitTarget(text);
    const href = foldWhitespace(target ?? text);
    const shown = unquote(target === undefined || before === "" ? href : before);
    if (role === "" && suffix.startsWith("_")) {
      if (target !== undefined && before !== "" && suffix === "_") this.#targets.set(normaliseName(before), target);
      const named = /^(.*[^\\])_$/.exec(href)?.[1];
      const found = target !== undefined && named === undefined ? href : this.#targetOf(named ?? href);
      return found === undefined ? shown : link(found, shown);
    }
    if (/^(?:ref|numref|any)$/.test(role)) return link(`ref:${href.toLowerCase()}`, shown);
    if (/^(?:doc|download)$/.test(role)) return link(href, shown);
    if (target === undefined && (role === "rfc" || role === "pep")) return `${role.toUpperCase()} ${shown}`;
    // `~a.b.c` shows `c`, and `!a` no link.
    return target === undefined && role !== "" ? shown.replace(/^~(?:.*\.)?|^[!.]/, "") : shown;
  }

  /** Address of a named target; targets may lead to others. */
  #targetOf(name: string): string | undefined {
    const href = this.#targets.get(normaliseName(name));
    const [, other] = /^`?([^`]{1,300}?)`?_$/.exec(href ?? "") ?? [];
    return other === undefined ? href : (this.#targets.get(normaliseName(other)) ?? href);
  }
}

/** Parts of `text <target>`. */
function splitTarget(text: string): { readonly before: string; readonly target?: string } {
  const open = text.endsWith(">") ? text.lastIndexOf("<") : -1;
  return open < 0 ? { before: "" } : { before: text.slice(0, open).trimEnd(), target: text.slice(open + 1, -1) };
}

/** Name and address of `_name: address`; the address is `""` for a place on the page. */
function readTarget(content: string): { readonly name: string; readonly href: string } | undefined {
  if (!content.startsWith("_")) return undefined;
  const end = content.search(/(?<!\\):(?:\s|$)/);
  if (end < 0) return undefined;
  const name = unquote(content.slice(1, end).replace(/^`|`$/g, ""));
  return { name, href: content.slice(end + 1).trim() };
}

function columnsOf(title: string): number {
  return title.length + (title.match(/[\u1100-\uffff]/g)?.length ?? 0);
}

function unquote(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

/** Name of a reference, which differs in neither case nor spaces. */
function normaliseName(name: string): string {
  return foldWhitespace(name).toLowerCase();
}

/** Id that docutils makes of a name. */
function toId(name: string): string {
  const ascii = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\0-\x7f]/g, "");
  return ascii.replace(/[^a-z0-9]+/g, "-").replace(/^[-0-9]+|-+$/g, "");
}
