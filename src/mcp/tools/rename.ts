/**
 * Tool `rename`: what has to change for a symbol to have another name. A plan; nothing is edited.
 */
import type { LoadedSymbol } from "../../core/code/model.ts";
import { isMember } from "../../core/code/rename-family.ts";
import { resolveSymbol } from "../../core/code/resolve-symbol.ts";
import { InputError } from "../../core/errors.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { factsOf } from "../../core/text/code-languages.ts";
import { describeNames, findNameProblem } from "../../core/text/identifiers.ts";
import { quoteName } from "../../core/text/nearest.ts";
import { renameForms, renamePage, summarizeRename } from "../../surface/render/rename.ts";
import { findSymbol, SYMBOL_PARAMETERS, type SymbolArguments } from "../find-code.ts";
import { planRename } from "../plan-rename.ts";
import { defineTool } from "../tool.ts";

const NAME = "rename";
const MAX_NAME_LENGTH = 200;

export const renameTool = defineTool({
  name: NAME,
  description:
    "Plan for renaming a symbol, never an edit: edits by file with the hash of the text they apply to, certain or likely; places by text only, docs that name it, conflicts. Apply the certain ones, check the others; next diagnostics.",
  parameters: {
    ...SYMBOL_PARAMETERS,
    new_name: { kind: "text", required: true, maxLength: MAX_NAME_LENGTH, aliases: ["to", "new", "rename_to"] },
    limit: { kind: "integer", default: 50, maximum: 200, description: "files" },
  },
  pages: true,
  example: { symbol: "Store.open", new_name: "start" },
  isKept: true,
  async run({ new_name, limit, ...args }, { reader, offset }) {
    const declared = await findDeclared(reader, args);
    const { notes, ...symbol } =
      declared === undefined ? await findSymbol(reader, args, NAME) : { ...declared, notes: [] };
    const { name, kind } = symbol.record;
    const newName = name.startsWith("#") && !new_name.startsWith("#") ? `#${new_name}` : new_name;
    if (newName === name) throw new InputError(`${symbol.id} is called ${quoteName(name)} already.`);
    const { language } = symbol.inFile;
    const container = symbol.inFile.symbols[symbol.record.parent];
    if (kind === "constructor") {
      throw new InputError(`A constructor has no name of its own; rename ${container?.name ?? "its class"}.`);
    }
    if (!/^[#@$]{0,2}[\p{L}_$]/u.test(name)) throw new InputError(`${symbol.id} has no name that could be changed.`);
    if (name === "default" && factsOf(language).isScript && container === undefined) {
      throw new InputError(
        `${symbol.id} has no name: it is exported without one. Write one behind its keyword, then rename that.`,
      );
    }
    const problem = findNameProblem(newName, language, isMember(symbol));
    if (problem !== undefined) {
      throw new InputError(`${quoteName(newName)} ${problem}. ${describeNames(language)}`);
    }
    const plan = await planRename(reader, symbol, newName);
    return {
      summary: summarizeRename(plan),
      forms: renameForms(plan, offset, limit),
      page: renamePage(plan, offset),
      notes,
    };
  },
});

/** The first of several declarations that change their name together anyway: overloads, a getter and its setter. */
async function findDeclared(
  reader: IndexReader,
  { symbol, file, line }: SymbolArguments,
): Promise<LoadedSymbol | undefined> {
  if (symbol === undefined || file !== undefined || line !== undefined) return undefined;
  const found = await resolveSymbol(reader, symbol);
  if (found.kind !== "several" || found.total > found.candidates.length) return undefined;
  const [first] = found.candidates;
  const isOne = found.candidates.every(
    ({ record, inFile }) =>
      inFile.id === first?.inFile.id && record.parent === first.record.parent && record.name === first.record.name,
  );
  return isOne ? first : undefined;
}
