/**
 * Cursors: where the next page of an answer starts, signed so that nobody can make one up.
 *
 * A cursor is bound to the tool, to the arguments that choose and order its results, to the collections that the caller
 * sees, and to the generation of the index: a page of another question, of somebody else's view or of an older index would
 * silently skip or repeat results.
 *
 * Layout before base64url: version (1 byte), offset (4, big-endian), call (8: hash of tool and arguments),
 * view (8: hash of the generation's id and the collections), signature (16: HMAC-SHA-256 over all before it, cut).
 *
 * Web crypto only, so it runs in Workers and Node alike.
 */

import type { Signer } from "../core/bytes/capabilities.ts";
import { decodeBase64Url, encodeBase64Url, equalBytes } from "../core/bytes/encodings.ts";
import { InputError } from "../core/errors.ts";
import { canonicalJson, hashText } from "./json.ts";

const VERSION = 1;
const OFFSET_BYTES = 4;
const HASH_BYTES = 8;
/** 128 bits of the signature: forging one takes 2^127 tries over the network. */
const SIGNATURE_BYTES = 16;
const SIGNED_BYTES = 1 + OFFSET_BYTES + 2 * HASH_BYTES;
const CURSOR_BYTES = SIGNED_BYTES + SIGNATURE_BYTES;
/** Longer texts are not looked at. */
const MAX_LENGTH = 200;

/** Arguments that shape an answer without choosing its results: they may differ from page to page. */
const FREE_ARGUMENTS: ReadonlySet<string> = new Set(["cursor", "limit", "max_tokens", "format", "excerpts"]);

/** The call that a cursor belongs to. */
export interface CursorScope {
  readonly tool: string;
  /** Arguments as they were read, by declared name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Id of the generation of the index. */
  readonly generation: string;
  /** Collections that the caller sees: with others there are other pages. */
  readonly collections: readonly string[];
}

/** A cursor that starts after the first `offset` results of a call. */
export async function signCursor(signer: Signer, scope: CursorScope, offset: number): Promise<string> {
  const bytes = new Uint8Array(CURSOR_BYTES);
  bytes[0] = VERSION;
  new DataView(bytes.buffer).setUint32(1, offset);
  bytes.set(await hashCall(scope), 1 + OFFSET_BYTES);
  bytes.set(await hashView(scope), 1 + OFFSET_BYTES + HASH_BYTES);
  bytes.set(await sign(signer, bytes), SIGNED_BYTES);
  return encodeBase64Url(bytes);
}

/** The offset that a cursor stands for. @throws {InputError} where it was not made for this call on this index. */
export async function readCursor(signer: Signer, scope: CursorScope, cursor: string): Promise<number> {
  const bytes = cursor.length > MAX_LENGTH ? undefined : decodeBase64Url(cursor);
  if (bytes === undefined || bytes.length !== CURSOR_BYTES || bytes[0] !== VERSION) throw invalidCursor();
  if (!equalBytes(await sign(signer, bytes), bytes.subarray(SIGNED_BYTES))) throw invalidCursor();
  const call = bytes.subarray(1 + OFFSET_BYTES, 1 + OFFSET_BYTES + HASH_BYTES);
  if (!equalBytes(await hashCall(scope), call)) {
    throw new InputError(
      "This cursor belongs to another call. Repeat the call that gave it, with the same arguments, and add the cursor.",
    );
  }
  if (!equalBytes(await hashView(scope), bytes.subarray(SIGNED_BYTES - HASH_BYTES, SIGNED_BYTES))) {
    throw new InputError(
      "The index was rebuilt since this cursor was given, or shows you other collections, so its pages have changed. Start again without a cursor.",
    );
  }
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
}

async function sign(signer: Signer, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return (await signer(bytes.subarray(0, SIGNED_BYTES))).subarray(0, SIGNATURE_BYTES);
}

function invalidCursor(): InputError {
  return new InputError(
    "This cursor is not valid. Use the cursor of the last answer unchanged, at the address that gave it, or leave it out to start again.",
  );
}

/** Of what is paged through: the generation, as far as the caller sees it. */
function hashView({ generation, collections }: CursorScope): Promise<Uint8Array<ArrayBuffer>> {
  return hash(canonicalJson([generation, collections]));
}

function hashCall({ tool, values }: CursorScope): Promise<Uint8Array<ArrayBuffer>> {
  const bound = Object.entries(values).filter(([name]) => !FREE_ARGUMENTS.has(name));
  return hash(canonicalJson([tool, Object.fromEntries(bound)]));
}

async function hash(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return (await hashText(text)).subarray(0, HASH_BYTES);
}
