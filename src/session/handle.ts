/**
 * Handles: the names that callers have for sessions. Nobody can make one up.
 *
 * Layout before base64url: version (1 byte), id (16 random bytes), signature (16: HMAC-SHA-256 over all before it, cut).
 * A handle is all that it takes to use a session, so it stands in no log, no cursor and no error.
 */
import { decodeBase64Url, encodeBase64Url } from "../core/bytes/base64url.ts";
import { equalBytes } from "../core/bytes/equal-bytes.ts";
import { InputError } from "../core/errors.ts";

const VERSION = 1;
const ID_BYTES = 16;
/** 128 bits of the signature: forging one takes 2^127 tries over the network. */
const SIGNATURE_BYTES = 16;
const SIGNED_BYTES = 1 + ID_BYTES;
const HANDLE_BYTES = SIGNED_BYTES + SIGNATURE_BYTES;
/** Characters of a handle. */
const HANDLE_LENGTH = 44;

/** A key that signs; named after what makes it, as the platforms do not agree on where its type is declared. */
type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A new session's names. */
export interface NewHandle {
  /** What callers send. */
  readonly handle: string;
  /** What storage knows the session by. */
  readonly id: string;
}

/** A handle for a new session. */
export async function makeHandle(key: SigningKey): Promise<NewHandle> {
  const bytes = new Uint8Array(HANDLE_BYTES);
  bytes[0] = VERSION;
  const id = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  bytes.set(id, 1);
  bytes.set(await sign(key, bytes), SIGNED_BYTES);
  return { handle: encodeBase64Url(bytes), id: encodeBase64Url(id) };
}

/** The id of the session that a handle names, whether or not there is such a session. @throws {InputError} when it was not made with this key. */
export async function readHandle(key: SigningKey, handle: string): Promise<string> {
  const bytes = handle.length === HANDLE_LENGTH ? decodeBase64Url(handle) : undefined;
  if (bytes === undefined || bytes[0] !== VERSION) throw unknownSession();
  if (!equalBytes(await sign(key, bytes), bytes.subarray(SIGNED_BYTES))) throw unknownSession();
  return encodeBase64Url(bytes.subarray(1, SIGNED_BYTES));
}

/** The error for a session that does not exist, is over, or is not the caller's: they are not told apart. */
export function unknownSession(): InputError {
  return new InputError(
    "There is no such session: it ended after a day without use, or its handle is not written as it was given. " +
      "Open a new one with open_session, or call without a session.",
    [],
    "open_session({})",
  );
}

async function sign(key: SigningKey, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const signature = await crypto.subtle.sign("HMAC", key, bytes.subarray(0, SIGNED_BYTES));
  return new Uint8Array(signature, 0, SIGNATURE_BYTES);
}
