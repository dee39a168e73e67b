/**
 * Tool `index_status`: what is indexed, how much of it, from which commit and how old.
 */
import type { CollectionInfo } from "../../core/format/root.ts";
import type { GenerationInfo } from "../../core/index/open-generation.ts";
import { visibleGeneration } from "../../core/index/read-log.ts";
import { ageSeconds, formatCount } from "../../surface/render/text.ts";
import { defineTool } from "../tool.ts";

export const indexStatusTool = defineTool({
  name: "index_status",
  description: "What is indexed: collections, sizes, commit, age. Use when unsure of coverage; next search_documents.",
  parameters: {},
  example: {},
  async run(_, { reader, now, corpus }) {
    const { collections } = reader;
    const generation = await visibleGeneration(reader);
    // Who asks at several addresses cannot tell the answers apart otherwise.
    const where = corpus === "" ? "" : `Corpus ${corpus}. `;
    const summary =
      `${where}${formatCount(generation.documents, "document")} in ${formatCount(collections.length, "collection")}: ` +
      `${formatCount(generation.sections, "section")}, ${formatCount(generation.words, "word")}.`;
    return {
      summary,
      forms: [
        {
          detail: "all",
          blocks: () => [...collections.map(describeCollection), describeGeneration(generation)],
          json: () => ({ ...(corpus !== "" && { corpus }), ...toStatus(generation, collections, now) }),
        },
        {
          detail: "names of collections",
          blocks: () => collections.map(({ name }) => name),
          json: (shown) => ({
            collections: collections.slice(0, shown).map(({ name, documents }) => ({ name, documents })),
          }),
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
    `${name} (${kind}${version === "" ? "" : `, version ${version}`}): ${formatCount(collection.documents, "document")}, ` +
      `${formatCount(collection.sections, "section")}, ${formatCount(collection.words, "word")}`,
    `  commit ${commit}${access === "public" ? "" : `, for ${access}`}`,
  ];
  if (baseUrl !== "") lines.push(`  pages at ${baseUrl}`);
  if (repository !== "") lines.push(`  repository ${repository}`);
  return lines.join("\n");
}

function describeGeneration(generation: GenerationInfo): string {
  const {
    id,
    committedAt = "",
    dirty,
    precise,
    builtAt,
    terms,
    indexBytes,
    textBytes,
    skippedFiles,
    diagnostics,
    facetKeysLeftOut,
  } = generation;
  const commit = `${committedAt === "" ? "" : `, commit of ${committedAt}`}${dirty === true ? " with changes" : ""}`;
  const lines = [
    `generation ${id}${builtAt === "" ? "" : `, built at ${builtAt}`}${commit}, format ${generation.formatVersion}`,
    `index ${formatBytes(indexBytes)} of text ${formatBytes(textBytes)}, ${formatCount(terms, "term")}`,
    `${formatCount(skippedFiles, "file")} skipped, ${formatCount(diagnostics, "diagnostic")}`,
  ];
  if (precise !== undefined) lines.push(`precise: ${precise}`);
  if (facetKeysLeftOut.length > 0) lines.push(`keys not usable as facets: ${facetKeysLeftOut.join(", ")}`);
  return lines.join("\n");
}

function formatBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
