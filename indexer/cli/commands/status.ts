/**
 * Command `status`: what an index holds, or how a deployed server is.
 */
import { formatCount } from "../../../src/surface/render/numbers.ts";
import { cleanText } from "../../../src/surface/render/text.ts";
import { isAddress } from "../../base/index-source.ts";
import { openIndexAt } from "../../open/open-index-at.ts";
import { type Command, EXIT } from "../command.ts";
import { indexOption, readIndexOption } from "./index-option.ts";
import { showServerStatus } from "./server-status.ts";

/** The command. */
export const statusCommand: Command = {
  name: "status",
  summary: "Show what an index holds, or how a deployed server is: generation, commit, collections, counts, checks.",
  positionals: ["[url]"],
  options: { index: indexOption, json: { kind: "flag", description: "Print one JSON object." } },
  details: `With the address of a server: what it answers from and which of its parts work. --index compares it with that index; exit
code 1 where it is another one, or where a part fails that is needed. A private server takes the key in TREELINE_KEY.`,
  async run(input, terminal) {
    const [place] = input.positionals;
    if (place !== undefined && isAddress(place)) {
      const shown = await showServerStatus(place, { isJson: input.has("json"), index: input.text("index") }, terminal);
      if (shown !== undefined) return shown;
    }
    const { index } = await openIndexAt(place ?? readIndexOption(input));
    const { generation, collections } = index;
    if (input.has("json")) {
      terminal.print(
        JSON.stringify({ generation, collections, facetKeys: index.root.facetKeys, files: index.root.packs.length }),
      );
      return EXIT.done;
    }
    terminal.print(`generation ${generation.id}, format ${generation.formatVersion}`);
    const { commit, committedAt = "", dirty, builtAt } = generation;
    const changed = dirty === true ? ", with changes" : "";
    terminal.print(`commit ${commit}${committedAt === "" ? "" : ` of ${committedAt}`}${changed}`);
    if (builtAt !== "") terminal.print(`built at ${builtAt}`);
    terminal.print(
      `${generation.documents} documents, ${generation.sections} sections, ${generation.words} words, ${generation.terms} terms`,
    );
    terminal.print(`${generation.indexBytes} bytes of index, ${generation.textBytes} bytes of text`);
    for (const { name, kind, access, documents, sections, version, baseUrl } of collections) {
      const more = [version, baseUrl].filter((part) => part !== "").join(" ");
      terminal.print(
        `  ${name} (${kind}, ${access}): ${documents} documents, ${sections} sections${more === "" ? "" : `, ${more}`}`,
      );
    }
    terminal.print(cleanText(`facets: ${index.root.facetKeys.join(", ")}`).text);
    if (generation.facetKeysLeftOut.length > 0)
      terminal.print(cleanText(`left out: ${generation.facetKeysLeftOut.join(", ")}`).text);
    terminal.print(
      `${formatCount(generation.skippedFiles, "file")} skipped, ${formatCount(generation.diagnostics, "diagnostic")}`,
    );
    return EXIT.done;
  },
};
