/**
 * A source file in any language but TypeScript and JavaScript, parsed: symbols, imports and uses of names.
 *
 * `loadGrammar` comes first, once for each language and thread.
 */
import { SYMBOL_FLAGS, type SymbolKind } from "../../../src/core/format/code-model.ts";
import type { CodeLanguage } from "../../../src/core/text/code-languages.ts";
import { cutText, foldWhitespace } from "../../../src/core/text/short-text.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { CodeFile, CodeImport, CodeSymbol } from "../../languages/base/code-file.ts";
import { fileDocOf, firstParagraph, leadOf } from "../../languages/base/comments.ts";
import { Declarations, type LanguageRules, MAX_SYMBOLS, type SymbolDraft } from "../../languages/base/rules.ts";
import { NONE, SyntaxTree } from "../../languages/base/syntax-tree.ts";
import { dialectOf, loadedGrammar, parseBounded } from "./grammars.ts";
import { MAX_USES, UsePass } from "./use-pass.ts";

const SIGNATURE_MAX_CHARS = 400;
/** Characters of a value of several lines that is part of a signature. */
const VALUE_MAX_CHARS = 80;

interface SourceFile {
  /** For diagnostics. */
  readonly path: string;
  readonly text: string;
  readonly language: CodeLanguage;
}

/**
 * Symbols, imports and uses of a source file. Syntax errors are counted, and what could be parsed around them is there.
 *
 * A file whose text is of the twin of its language is read, and reported, as that.
 *
 * @throws {Error} where the grammar is not loaded, or the text is beyond a bound.
 */
export function parseWithTreeSitter({ path, text, language: named }: SourceFile): CodeFile {
  const { twin } = dialectOf(named);
  const language = twin?.isMeant(path, text) === true ? twin.language : named;
  const grammar = loadedGrammar(language);
  const { names } = grammar;
  const { rules } = dialectOf(language);
  const tree = parseBounded(grammar, rules.prepare?.(text) ?? text, (parsed) => new SyntaxTree(parsed, text, names));
  const file = new Declarations(tree, rules);
  file.run();
  const uses = new UsePass(file);
  uses.run();
  const context: FileContext = { uses, rules };
  const leads = file.symbols.map((draft) => leadOf(tree, draft.outer, rules));
  return {
    language,
    namespace: file.namespace,
    doc: file.fileDoc ?? fileDocOf(tree, rules, new Set(leads.map((lead) => lead.line))),
    symbols: file.symbols.map((draft, index) => symbolOf(tree, draft, leads[index] as Lead, context)),
    imports: file.imports.map(
      ({ kind, specifier, imported, local, typeOnly, from, node, localNode }): CodeImport => ({
        kind,
        specifier,
        imported,
        local,
        typeOnly,
        from: from?.index ?? -1,
        at: tree.positionAt(tree.start(node)),
        ...(localNode !== undefined && { localAt: tree.positionAt(tree.start(localNode)) }),
      }),
    ),
    uses: uses.uses,
    errors: tree.errors,
    diagnostics: diagnosticsOf(path, tree, file, uses),
  };
}

interface FileContext {
  readonly uses: UsePass;
  readonly rules: LanguageRules;
}

type Lead = ReturnType<typeof leadOf>;

function symbolOf(tree: SyntaxTree, draft: SymbolDraft, lead: Lead, context: FileContext): CodeSymbol {
  const { uses, rules } = context;
  const start = lead.start;
  const end = endOf(tree, draft.outer, rules);
  const doc = draft.docText === undefined ? firstParagraph(lead.comment) : draft.docText;
  const flags = new Set(draft.flags);
  if (/(?:^|\s)[@\\]?deprecated\b|^Deprecated:/im.test(lead.comment)) flags.add("deprecated");
  const type = uses.types.get(draft.index);
  return {
    kind: draft.kind,
    name: draft.name,
    parent: draft.parent?.index ?? -1,
    at: tree.positionAt(draft.nameNode < 0 ? tree.start(draft.node) : tree.start(draft.nameNode)),
    start: tree.positionAt(start),
    end: tree.positionAt(end),
    leadLine: lead.line,
    signature: draft.signature ?? signatureOf(tree, draft),
    doc,
    flags: SYMBOL_FLAGS.filter((flag) => flags.has(flag)),
    exportedAs: [],
    typeText: typeTextOf(tree, draft.typeNode),
    ...(type === undefined ? {} : { type }),
    bases: draft.bases.map((node) => baseName(tree, node)),
    ...(draft.memberOf === "" ? {} : { memberOf: draft.memberOf }),
    ...(draft.isPrototype && { isPrototype: true as const }),
  };
}

/** The place behind a declaration: where blocks end by indentation, comments behind the last statement are not part of it. */
function endOf(tree: SyntaxTree, node: number, { comments }: LanguageRules): number {
  let last = tree.after(node) - 1;
  if (last <= node || tree.end(last) !== tree.end(node)) last = node;
  while (last > node && comments.has(tree.type(last))) last = lastBefore(tree, last, node);
  let end = tree.end(last);
  // Some grammars end a line's declaration on the next line.
  while (end > tree.start(node) && /\s/.test(tree.text[end - 1] as string)) end--;
  return end;
}

/** The last node without children in front of a node, inside another. */
function lastBefore(tree: SyntaxTree, node: number, within: number): number {
  for (let at = node; at > within; at = tree.parent(at)) {
    const previous = tree.previous(at);
    if (previous !== NONE) return tree.after(previous) - 1;
  }
  return within;
}

/** From the first word that is no annotation to the body; a long value of several lines is a body, too. */
function signatureOf(tree: SyntaxTree, draft: SymbolDraft): string {
  let from = tree.start(draft.outer);
  for (let node = draft.outer + 1; node < tree.after(draft.outer) && node < tree.count; ) {
    const type = tree.type(node);
    if (type === "modifiers" || type === "decorated_definition") {
      node++;
    } else if (
      /decorator|annotation$|^attribute_list|^attribute_item|^attribute$/.test(type) &&
      tree.start(node) === from
    ) {
      node = tree.after(node);
      from = node < tree.count ? tree.start(node) : from;
    } else {
      break;
    }
  }
  let to = tree.end(draft.outer);
  // What a macro stands for is its body.
  const value = draft.kind === "macro" ? draft.body : draft.valueNode;
  if (draft.body >= 0 && value !== draft.body) to = tree.start(draft.body);
  else if (value >= 0 && isLongValue(tree, value, draft.kind)) to = tree.start(value);
  const head = foldWhitespace(tree.text.slice(from, Math.min(to, from + 4 * SIGNATURE_MAX_CHARS)));
  const words = head.replace(/\s*(?:[{;:]|=>?|->)$/, "");
  // `typedef struct { … } Store;` has its name behind the body.
  return cutText(tree.start(Math.max(draft.nameNode, 0)) < to ? words : `${words} ${draft.name}`, SIGNATURE_MAX_CHARS);
}

/** Whether a value is longer than what is read beside a name: values of one line are not, unless they are code. */
function isLongValue(tree: SyntaxTree, value: number, kind: SymbolKind): boolean {
  const [start, end] = [tree.start(value), tree.end(value)];
  if (kind !== "macro" && tree.lineAt(start) === tree.lineAt(Math.max(start, end - 1))) return false;
  return end - start > 4 * VALUE_MAX_CHARS || foldWhitespace(tree.text.slice(start, end)).length > VALUE_MAX_CHARS;
}

/** A type as written; of a long one, such as a `struct` that is declared in its place, the beginning. */
function typeTextOf(tree: SyntaxTree, node: number): string {
  if (node < 0) return "";
  const source = tree.text.slice(
    tree.start(node),
    Math.min(tree.end(node), tree.start(node) + 4 * SIGNATURE_MAX_CHARS),
  );
  return cutText(foldWhitespace(source).replace(/^:\s*/, ""), SIGNATURE_MAX_CHARS);
}

/** Name of a base as written, without type arguments and the arguments of a constructor. */
function baseName(tree: SyntaxTree, node: number): string {
  return foldWhitespace(tree.textOf(node).replace(/[<([{][\s\S]*$/, ""));
}

function diagnosticsOf(path: string, tree: SyntaxTree, file: Declarations, uses: UsePass): Diagnostic[] {
  const found: Diagnostic[] = [];
  const warn = (code: string, message: string): void => {
    found.push({ severity: "warning", code, message, path, line: 0 });
  };
  if (tree.isCut)
    warn("too-many-nodes", `The file is cut after ${tree.count} syntax nodes; what follows is not in the index.`);
  if (file.isCut) warn("too-many-symbols", `The file has more than ${MAX_SYMBOLS} symbols; the others are left out.`);
  if (uses.isCut) warn("too-many-uses", `The file uses more than ${MAX_USES} names; the other uses are left out.`);
  if (tree.errors > 0) {
    const node = tree.kinds.subarray(0, tree.count).indexOf(65_535);
    found.push({
      severity: "info",
      code: "syntax-error",
      message: `${tree.errors} ${tree.errors === 1 ? "part" : "parts"} of the file could not be parsed; the rest is in the index.`,
      path,
      line: node === NONE ? 0 : tree.lineAt(tree.start(node)),
    });
  }
  return found;
}
