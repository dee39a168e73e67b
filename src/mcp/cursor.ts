/**
 * Cursors: where the next page of an answer starts, signed so that nobody can make one up.
 *
 * A cursor is bound to the tool, to the arguments that choose and order its results, to the collections that the caller
 * sees, and to the generation of the index: a page of another question, of somebody else's view or of an older index would
 * silently skip or repeat results.
 *
 * Sealed are: offset (8 bytes, as a 64-bit float: a tool may keep two numbers in it), call (8: hash of tool and arguments), view (8: hash of the generation's id and the
 * collections).
 */

import type { Signer } from "../core/bytes/capabilities.ts";
import { equalBytes } from "../core/bytes/encodings.ts";
import { InputError } from "../core/errors.ts";
import { canonicalJson } from "../core/parse-text.ts";
import { seal, unseal } from "../surface/access/signing-keys.ts";

const OFFSET_BYTES = 8;
/** Bytes of a hash: two of some thousand cursors are alike by chance once in 10^12. */
const FINGERPRINT_BYTES = 8;
const CURSOR_BYTES = OFFSET_BYTES + 2 * FINGERPRINT_BYTES;

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
  new DataView(bytes.buffer).setFloat64(0, offset);
  bytes.set(await hashCall(scope), OFFSET_BYTES);
  bytes.set(await hashView(scope), OFFSET_BYTES + FINGERPRINT_BYTES);
  return seal(signer, bytes);
}

/** The offset that a cursor stands for. @throws {InputError} where it was not made for this call on this index. */
export async function readCursor(signer: Signer, scope: CursorScope, cursor: string): Promise<number> {
  const bytes = await unseal(signer, cursor, CURSOR_BYTES);
  if (bytes === undefined) throw invalidCursor();
  if (!equalBytes(await hashCall(scope), bytes.subarray(OFFSET_BYTES, OFFSET_BYTES + FINGERPRINT_BYTES))) {
    throw new InputError(
      "This cursor belongs to another call. Repeat the call that gave it, with the same arguments, and add the cursor.",
    );
  }
  if (!equalBytes(await hashView(scope), bytes.subarray(OFFSET_BYTES + FINGERPRINT_BYTES))) {
    throw new InputError(
      "The index was rebuilt since this cursor was given, or shows you other collections, so its pages have changed. Start again without a cursor.",
    );
  }
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0);
}

function invalidCursor(): InputError {
  return new InputError(
    "This cursor is not valid. Use the cursor of the last answer unchanged, at the address that gave it, or leave it out to start again.",
  );
}

/** Of what is paged through: the generation, as far as the caller sees it. */
function hashView({ generation, collections }: CursorScope): Promise<Uint8Array<ArrayBuffer>> {
  return fingerprint(canonicalJson([generation, collections]));
}

function hashCall({ tool, values }: CursorScope): Promise<Uint8Array<ArrayBuffer>> {
  const bound = Object.entries(values).filter(([name]) => !FREE_ARGUMENTS.has(name));
  return fingerprint(canonicalJson([tool, Object.fromEntries(bound)]));
}

/** A few bytes that stand for a text: the first of its SHA-256. */
async function fingerprint(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(hash, 0, FINGERPRINT_BYTES);
}
