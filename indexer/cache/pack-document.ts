/** A prepared document taken apart, for threads to hand over and the parse cache to keep. */
import type { PreparedDocument } from "../build/prepare-document.ts";
import { encodeBody } from "./body-codec.ts";
import { hashPairs, hashWords, type PackedDocument } from "./cached-document.ts";

/** Take a document apart. */
export function packDocument(document: PreparedDocument): PackedDocument {
  const { inverted, unitCodes, grams, blocks, ...card } = document;
  const body = encodeBody({ inverted, unitCodes, grams, blocks });
  return { card, body, pairs: hashPairs(inverted), words: hashWords(inverted) };
}
