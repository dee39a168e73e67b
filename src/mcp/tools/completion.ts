/**
 * Tool `completion`: names that complete what was typed, or the members of a container.
 */
import { completeSymbols } from "../../core/code/complete-symbols.ts";
import { loadSymbols } from "../../core/code/load-files.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import { shortenQuery } from "../../core/text/nearest.ts";
import { listForms } from "../../surface/render/answer.ts";
import { formatSymbol, quoteSignature } from "../../surface/render/symbols.ts";
import { cutList, formatCount } from "../../surface/render/text.ts";
import { expectCode, findFile, readKinds } from "../find-named.ts";
import { defineTool } from "../tool.ts";

const NAME = "completion";
/** Other containers that are named. */
const MAX_NAMED = 5;

export const completionTool = defineTool({
  name: NAME,
  description:
    "Names that complete a beginning, or the members of a container (Store.): best first, with kind and signature. Use to spell a name right; next inspect.",
  parameters: {
    prefix: { kind: "text", required: true, aliases: ["query", "q", "text", "name"] },
    file: { kind: "text" },
    kind: { kind: "texts", aliases: ["kinds"] },
    limit: { kind: "integer", default: 20, maximum: 100 },
  },
  example: { prefix: "Store." },
  isKept: true,
  async run({ prefix, file, kind, limit }, { reader }) {
    expectCode(reader);
    const kinds = readKinds(kind);
    const documentId = file === undefined ? undefined : (await findFile(reader, file, NAME)).record.id;
    const found = await completeSymbols(reader, {
      prefix,
      limit,
      ...(kinds !== undefined && { kinds }),
      ...(documentId !== undefined && { documentId }),
    });
    const symbols = await loadSymbols(
      reader,
      found.completions.map(({ place }) => place),
    );
    const items = found.completions.map((completion, at) => ({
      ...completion,
      symbol: symbols[at] as (typeof symbols)[number],
    }));
    const hasInherited = items.some(({ inheritedFrom }) => inheritedFrom !== undefined);
    const text = shortenQuery(prefix);
    const ids = found.others.map(({ id }) => id);
    const toValue = (shown: readonly (typeof items)[number][], withSignature: boolean, inTable: boolean) => ({
      prefix: text,
      total: found.total,
      completions: shown.map(({ label, kind: ofKind, exported, count, symbol, inheritedFrom }) => ({
        label,
        kind: ofKind,
        exported,
        count,
        id: symbol.id,
        // Rows of a table have the same columns.
        ...((inTable ? hasInherited : inheritedFrom !== undefined) && { inheritedFrom: inheritedFrom ?? "" }),
        ...(withSignature && { signature: symbol.record.signature }),
      })),
    });
    return {
      summary: `${formatCount(found.total, "name completes", "names complete")} ${JSON.stringify(text)}${found.total > items.length ? `, the best ${items.length} of them` : ""}`,
      forms: listForms(items, [["signatures", true] as const, ["names", false, 1] as const], {
        text: ({ label, count, inheritedFrom, symbol: { record, inFile } }, withSignature) => {
          const container = inheritedFrom === undefined ? undefined : inFile.symbols[record.parent];
          const others = count > 1 ? `, ${count - 1} more of that name` : "";
          const signature = withSignature ? quoteSignature(record.signature) : "";
          const place = `${pathOf(inFile.id)} ${formatSymbol(record, container)}${others}`;
          return [`${label}: ${place}`, ...(signature === "" ? [] : [`  ${signature}`])].join("\n");
        },
        toJson: (shown, withSignature) => toValue(shown, withSignature, false),
        toToon: (shown, withSignature) => toValue(shown, withSignature, true),
        joined: true,
      }),
      notes: [
        ...(found.others.length === 0
          ? []
          : [`Of that name are also ${cutList(ids, MAX_NAMED).join(", ")}; file chooses another one.`]),
        ...(found.isComplete ? [] : ["There may be more: type more of the name."]),
      ],
    };
  },
});
