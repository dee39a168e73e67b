/**
 * A prepared document in parts, each as bytes: what threads hand over and the parse cache keeps.
 *
 * A build reads all cards at once and the other parts one document at a time. Long lists of a card stay bytes, too: as objects,
 * sections and links of a million sections would not fit into the heap.
 */
import { deserialize, serialize } from "node:v8";
import { KEY_SEPARATOR } from "../../../src/core/bytes/key.ts";
import { concatBytes, encodeJson } from "../../../src/core/bytes/writer.ts";
import type { ConceptCandidate } from "../../topics/find-candidates.ts";
import type { DocumentBody, DocumentCard, PreparedDocument } from "../prepared-document.ts";
import { encodeCode } from "./code-codec.ts";

/** `code` is empty where the document is no source file. */
export const PARTS = ["card", "body", "code", "candidates"] as const;

export type Part = (typeof PARTS)[number];

/** Bytes of each part. */
export type PackedDocument = Readonly<Record<Part, Uint8Array>>;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Takes a document apart. */
export function packDocument({ card, body, code, candidates }: PreparedDocument): PackedDocument {
  const { sections, links, ...head } = card;
  return {
    card: serialize({ head, sections: encodeJson(sections), links: encodeJson(links) }),
    body: encodeBody(body),
    code: code === undefined ? new Uint8Array() : encodeCode(code),
    candidates: encodeJson(candidates),
  };
}

/** The card that was packed, in its place in this build. Its long lists are made anew at each access. */
export function openCard(bytes: Uint8Array, place: Pick<DocumentCard, "number" | "collection">): DocumentCard {
  const { head, sections, links } = deserialize(bytes) as {
    readonly head: Omit<DocumentCard, "sections" | "links">;
    readonly sections: Uint8Array;
    readonly links: Uint8Array;
  };
  return {
    ...head,
    number: place.number,
    collection: place.collection,
    get sections() {
      return JSON.parse(utf8.decode(sections)) as DocumentCard["sections"];
    },
    get links() {
      return JSON.parse(utf8.decode(links)) as DocumentCard["links"];
    },
  };
}

/** Texts are joined: one long text is read several times faster than many. */
function encodeBody({ inverted, unitCodes, grams, blocks }: DocumentBody): Uint8Array {
  const { terms, words, ...lists } = inverted;
  return serialize({
    lists,
    unitCodes,
    ascii: grams.ascii,
    texts: [terms, words, grams.others].map((list) => (list.length === 0 ? undefined : list.join(KEY_SEPARATOR))),
    blocks: concatBytes(blocks),
    blockLengths: blocks.map(({ length }) => length),
  });
}

/** The body that was packed. */
export function decodeBody(bytes: Uint8Array): DocumentBody {
  const { lists, unitCodes, ascii, texts, blocks, blockLengths } = deserialize(bytes) as {
    readonly lists: Omit<DocumentBody["inverted"], "terms" | "words">;
    readonly unitCodes: Uint8Array;
    readonly ascii: Uint32Array;
    readonly texts: readonly (string | undefined)[];
    readonly blocks: Uint8Array;
    readonly blockLengths: readonly number[];
  };
  const [terms = [], words = [], others = []] = texts.map((text) => text?.split(KEY_SEPARATOR));
  let end = 0;
  return {
    inverted: { ...lists, terms, words },
    unitCodes,
    grams: { ascii, others },
    blocks: blockLengths.map((length) => {
      end += length;
      return blocks.subarray(end - length, end);
    }),
  };
}

/** The candidates for concepts that were packed. */
export function decodeCandidates(bytes: Uint8Array): ConceptCandidate[] {
  return JSON.parse(utf8.decode(bytes)) as ConceptCandidate[];
}
