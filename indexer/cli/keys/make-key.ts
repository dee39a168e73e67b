/** A new key: random, shown once. */
import { createHash, randomBytes } from "node:crypto";
import { KEY_SECRET_BYTES } from "../../../src/surface/access/access-file.ts";

const ID_BYTES = 4;

/** A key's text, and what may be kept of it. */
export interface NewKey {
  readonly id: string;
  /** The key itself. */
  readonly text: string;
  /** SHA-256 of the text in hex. */
  readonly hash: string;
}

/** Makes a key out of 256 random bits. */
export function makeKey(): NewKey {
  const id = randomBytes(ID_BYTES).toString("hex");
  const text = `tl_${id}_${randomBytes(KEY_SECRET_BYTES).toString("base64url")}`;
  return { id, text, hash: createHash("sha256").update(text).digest("hex") };
}
