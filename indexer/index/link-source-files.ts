/**
 * Links the source files of a corpus, those of each access group by themselves. Loaded only for a corpus that has some.
 */
import { keyOf } from "../../src/core/bytes/key.ts";
import { idOf } from "../../src/core/code/load-files.ts";
import { makeDocumentId } from "../../src/core/docs/node-id.ts";
import type { FileRecord } from "../../src/core/format/code-model.ts";
import type { Analyzer } from "../../src/core/text/analyze.ts";
import { analyzerOf } from "../../src/core/text/analyzers.ts";
import type { CollectionConfig } from "../config/config.ts";
import type { CodeFile, CodeUse } from "../languages/base/code-file.ts";
import type { LinkFile, PreciseFacts } from "../languages/base/language.ts";
import type { LinkDiagnostic, ManifestText } from "../languages/base/manifests.ts";
import type { GroupCode } from "../link/code/link-code.ts";
import { type LinkedCode, linkCode } from "../link/code/link-files.ts";
import type { FindInTexts, PageWords } from "../link/code/mentions.ts";
import type { LinkCode } from "./describe-corpus.ts";
import type { LoadedDocument } from "./load-documents.ts";
import { type DocumentCard, decodeCodeUses, decodeOutline, sectionIds } from "./prepared-document.ts";

/** Links source files with the manifests of their packages. @param precise What compilers know. */
export function prepareLinking(
  collections: readonly CollectionConfig[],
  manifests: readonly ManifestText[],
  precise: PreciseFacts | undefined,
): LinkCode {
  return (documents, isAside) => linkDocuments(collections, documents, manifests, precise, isAside);
}

function linkDocuments(
  collections: readonly CollectionConfig[],
  documents: readonly LoadedDocument[],
  manifests: readonly ManifestText[],
  precise: PreciseFacts | undefined,
  isAside: (id: string) => boolean,
): ReturnType<LinkCode> {
  const collectionOf = ({ collection }: DocumentCard): CollectionConfig => collections[collection] as CollectionConfig;
  const rules = new Map(
    collections.flatMap(({ name, packages }) => (packages === "auto" ? [] : [[name, packages] as const])),
  );
  const groups = new Map<string, GroupCode>();
  const diagnostics: LinkDiagnostic[] = [];
  const readUses = createUsesReader();
  for (const group of new Set(collections.map(({ access }) => access))) {
    const own = documents.filter(({ card }) => collectionOf(card).access === group);
    const files = own
      .filter(({ card }) => card.isSource)
      .map((document) => toLinkFile(document, collectionOf(document.card), readUses))
      .sort((a, b) => (keyOf(a.id) < keyOf(b.id) ? -1 : 1));
    if (files.length === 0) continue;
    const pages = own.filter(({ card }) => !card.isSource).map(({ card }) => toPageWords(card, collectionOf(card)));
    const sources = own.filter(({ card }) => card.isSource);
    const findInTexts: FindInTexts = (words) =>
      findTerms(words, sources, ({ card }) => analyzerOf(collectionOf(card).language));
    const linked = linkCode({
      files,
      manifests,
      pages,
      packages: rules,
      findInTexts,
      isAside,
      ...(precise !== undefined && { precise }),
    });
    groups.set(group, toGroupCode(linked));
    diagnostics.push(...linked.diagnostics);
  }
  return { groups, diagnostics };
}

/** Those of some words whose terms source files have: as they are written, or folded and stemmed alike. */
function findTerms(
  words: ReadonlySet<string>,
  documents: readonly LoadedDocument[],
  analyzerFor: (document: LoadedDocument) => Analyzer,
): ReadonlySet<string> {
  const found = new Set<string>();
  if (words.size === 0) return found;
  const wanted = new Map<Analyzer, ReadonlyMap<string, readonly string[]>>();
  for (const document of documents) {
    const analyzer = analyzerFor(document);
    const byTerm = wanted.get(analyzer) ?? Map.groupBy(words, (word) => analyzer.analyzeWord(word).term);
    wanted.set(analyzer, byTerm);
    for (const term of document.load().inverted.terms) for (const word of byTerm.get(term) ?? []) found.add(word);
  }
  return found;
}

/** Reads uses; those of the file that was last asked for are kept, as several steps in a row go through them. */
function createUsesReader(): (id: string, loadCode: () => Uint8Array) => readonly CodeUse[] {
  let latest: { readonly id: string; readonly uses: readonly CodeUse[] } = { id: "", uses: [] };
  return (id, loadCode) => {
    if (latest.id !== id) latest = { id, uses: decodeCodeUses(loadCode()) };
    return latest.uses;
  };
}

function toLinkFile(
  { card, loadCode }: LoadedDocument,
  { name, root }: CollectionConfig,
  readUses: ReturnType<typeof createUsesReader>,
): LinkFile {
  const { path, hash } = card;
  const id = makeDocumentId(name, path);
  const { file, sectionOf } = decodeOutline(loadCode());
  const code: CodeFile = {
    ...file,
    get uses() {
      return readUses(id, loadCode);
    },
  };
  return {
    collection: name,
    id,
    path,
    root,
    hash,
    code,
    sectionOf: (symbol) => sectionOf[symbol] ?? 0,
  };
}

/** Names in a page with the sections that they stand in. */
function toPageWords({ path, sections, codeWords }: DocumentCard, { name }: CollectionConfig): PageWords {
  const id = makeDocumentId(name, path);
  const nodeIds = sectionIds(id, path, sections);
  let section = 0;
  const words = codeWords.map((word) => {
    const { line } = word;
    while (section + 1 < sections.length && (sections[section + 1]?.[5] as number) <= line) section++;
    return { nodeId: nodeIds[section] ?? id, ...word };
  });
  return { collection: name, path, words };
}

function toGroupCode({ files, edges, mentions, packages, api, assets, entryFiles }: LinkedCode): GroupCode {
  return {
    files,
    edges,
    packages,
    api,
    assets,
    entryFiles,
    mentions: mentions.map(({ nodeId, text, line, file, symbol }) => ({
      nodeId,
      text,
      line,
      symbolId: idOf(files[file] as FileRecord, symbol),
    })),
  };
}
