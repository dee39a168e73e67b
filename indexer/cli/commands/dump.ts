/**
 * Command `dump`: the content of an index as JSON lines, for looking and for tests of other programs.
 */
import { KEY_SEPARATOR, textOfKey } from "../../../src/core/bytes/key.ts";
import { decodePostings } from "../../../src/core/format/postings.ts";
import { entriesOf, type IndexReader } from "../../../src/core/index/index-reader.ts";
import { listDocumentNames } from "../../../src/core/tree/catalogue.ts";
import { loadOutline } from "../../../src/core/tree/documents.ts";
import { UsageError } from "../../base/usage-error.ts";
import { openIndexAt } from "../../open/open-index-at.ts";
import { type Command, EXIT, type Terminal } from "../command.ts";
import { CODE_DUMPS, dumpCode } from "./dump-code.ts";
import { indexOption, readIndexOption } from "./index-option.ts";

const KINDS = ["documents", "sections", "terms", ...CODE_DUMPS] as const;

/** The command. */
export const dumpCommand: Command = {
  name: "dump",
  summary: "Print an index's documents, sections, terms, symbols, edges or imports as JSON lines.",
  positionals: [KINDS.join("|")],
  options: { index: indexOption },
  async run(input, terminal) {
    const wanted = input.positionals[0];
    if (wanted === undefined) throw new UsageError(`say what to dump: ${KINDS.join(", ")}`);
    const kind = KINDS.find((known) => known === wanted);
    if (kind === undefined)
      throw new UsageError(`cannot dump ${JSON.stringify(wanted)}; there are ${KINDS.join(", ")}`);
    const reader = await openIndexAt(readIndexOption(input));
    const code = CODE_DUMPS.find((known) => known === kind);
    if (code !== undefined) await dumpCode(reader, code, terminal);
    else if (kind === "terms") await dumpTerms(reader, terminal);
    else await dumpTrees(reader, kind as "documents" | "sections", terminal);
    return EXIT.done;
  },
};

async function dumpTrees(reader: IndexReader, kind: "documents" | "sections", terminal: Terminal): Promise<void> {
  const documents = [...(await listDocumentNames(reader))].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id } of documents) {
    const outline = await loadOutline(reader, id);
    if (outline === undefined) continue;
    if (kind === "documents") terminal.print(JSON.stringify(outline.document));
    else for (const section of outline.sections) terminal.print(JSON.stringify({ document: id, ...section }));
  }
}

async function dumpTerms(reader: IndexReader, terminal: Terminal): Promise<void> {
  for (const { index, root } of reader.shards) {
    const { tables } = await reader.read([{ shard: index, table: "terms", keys: "all" }]);
    for (const [key, bytes] of entriesOf(tables[0] ?? [])) {
      // Pairs of terms and synonyms of phrases are keys of this table as well, with values of their own.
      if (key.includes(KEY_SEPARATOR)) continue;
      const { form, frequencies } = decodePostings(bytes);
      terminal.print(
        JSON.stringify({ term: textOfKey(key), group: root.group, form, bytes: bytes.length, frequencies }),
      );
    }
  }
}
