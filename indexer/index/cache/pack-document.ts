/** A prepared document taken apart, for threads to hand over and the parse cache to keep. */
import { deserialize, serialize } from "node:v8";
import type { PreparedDocument } from "../prepare-document.ts";
import { encodeBody } from "./body-codec.ts";
import { hashPairs, hashWords, type PackedCard, type PackedDocument, packCard } from "./cached-document.ts";
import { encodeCandidates } from "./candidate-codec.ts";
import { encodeCode } from "./code-codec.ts";

/** Take a document apart. */
export function packDocument(document: PreparedDocument): PackedDocument {
  const { inverted, unitCodes, grams, blocks, code, candidates = [], ...card } = document;
  const body = encodeBody({ inverted, unitCodes, grams, blocks });
  const { head, ...lists } = packCard(card);
  // A copy: texts that are cut out of a page's keep all of it in memory.
  const own = deserialize(serialize(head)) as PackedCard["head"];
  return {
    card: { head: own, ...lists },
    body,
    code: code === undefined ? new Uint8Array() : encodeCode(code),
    candidates: encodeCandidates(candidates),
    pairs: hashPairs(inverted),
    words: hashWords(inverted),
  };
}
