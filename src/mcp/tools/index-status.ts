/**
 * Tool `index_status`: what is indexed, how much of it, from which commit and how old.
 */
import type { CollectionInfo } from "../../core/format/collection.ts";
import type { GenerationInfo } from "../../core/index/open-index.ts";
import { ageSeconds } from "../../render/age.ts";
import { defineTool } from "../tool.ts";

/** The tool. */
export const indexStatusTool = defineTool({
  name: "index_status",
  description:
    "What this server has indexed: collections with their sizes, commit and age of the index, skipped files. " +
    "Use it first when unsure whether something is covered; then search_documents.",
  parameters: {},
  example: {},
  async run(_, { reader, now }) {
    const { collections } = reader;
    const { generation } = reader.index;
    const summary =
      `${count(generation.documents, "document")} in ${count(collections.length, "collection")}: ` +
      `${count(generation.sections, "section")}, ${count(generation.words, "word")}.`;
    return {
      summary,
      forms: [
        {
          detail: "all",
          blocks: () => [...collections.map(describeCollection), describeGeneration(generation)],
          json: () => toStatus(generation, collections, now),
        },
        {
          detail: "names of collections",
          blocks: () => collections.map(({ name }) => name),
          json: (shown) => ({ collections: collections.slice(0, shown).map(({ name }) => name) }),
          keepAtLeast: 1,
        },
      ],
    };
  },
});

function toStatus(generation: GenerationInfo, collections: readonly CollectionInfo[], now: number) {
  return { ...generation, ageSeconds: ageSeconds(generation.builtAt, now) ?? null, collections };
}

function describeCollection(collection: CollectionInfo): string {
  const { name, kind, version, commit, baseUrl, repository, access } = collection;
  const lines = [
    `${name} (${kind}${version === "" ? "" : `, version ${version}`}): ${count(collection.documents, "document")}, ` +
      `${count(collection.sections, "section")}, ${count(collection.words, "word")}`,
    `  commit ${commit}${access === "public" ? "" : `, for ${access}`}`,
  ];
  if (baseUrl !== "") lines.push(`  pages at ${baseUrl}`);
  if (repository !== "") lines.push(`  repository ${repository}`);
  return lines.join("\n");
}

function describeGeneration(generation: GenerationInfo): string {
  const { id, builtAt, terms, indexBytes, textBytes, skippedFiles, diagnostics, facetKeysLeftOut } = generation;
  const lines = [
    `generation ${id}${builtAt === "" ? "" : `, built at ${builtAt}`}, format ${generation.formatVersion}`,
    `index ${formatBytes(indexBytes)} of text ${formatBytes(textBytes)}, ${count(terms, "term")}`,
    `${count(skippedFiles, "file")} skipped, ${count(diagnostics, "diagnostic")}`,
  ];
  if (facetKeysLeftOut.length > 0) lines.push(`keys not usable as facets: ${facetKeysLeftOut.join(", ")}`);
  return lines.join("\n");
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}

function formatBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
