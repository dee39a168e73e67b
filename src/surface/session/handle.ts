/**
 * Handles: the names that callers have for sessions. Nobody can make one up.
 *
 * Layout before base64url: version (1 byte), id (16 random bytes), signature (16: HMAC-SHA-256 over all before it, cut).
 * A handle is all that it takes to use a session, so it stands in no log, no cursor and no error.
 */

import type { Signer } from "../../core/bytes/capabilities.ts";
import { decodeBase64Url, encodeBase64Url, equalBytes } from "../../core/bytes/encodings.ts";
import { InputError } from "../../core/errors.ts";

const VERSION = 1;
const ID_BYTES = 16;
/** 128 bits of the signature: forging one takes 2^127 tries over the network. */
const SIGNATURE_BYTES = 16;
const SIGNED_BYTES = 1 + ID_BYTES;
const HANDLE_BYTES = SIGNED_BYTES + SIGNATURE_BYTES;
/** Characters of a handle. */
const HANDLE_LENGTH = 44;

/** A new session's names. */
export interface NewHandle {
  /** What callers send. */
  readonly handle: string;
  /** What storage knows the session by. */
  readonly id: string;
}

/** A handle for a new session. */
export async function makeHandle(signer: Signer): Promise<NewHandle> {
  const bytes = new Uint8Array(HANDLE_BYTES);
  bytes[0] = VERSION;
  const id = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  bytes.set(id, 1);
  bytes.set(await sign(signer, bytes), SIGNED_BYTES);
  return { handle: encodeBase64Url(bytes), id: encodeBase64Url(id) };
}

/** The id of the session that a handle names, whether or not there is such a session; undefined when this signer did not make it. */
export async function readHandle(signer: Signer, handle: string): Promise<string | undefined> {
  const bytes = handle.length === HANDLE_LENGTH ? decodeBase64Url(handle) : undefined;
  if (bytes === undefined || bytes[0] !== VERSION) return undefined;
  if (!equalBytes(await sign(signer, bytes), bytes.subarray(SIGNED_BYTES))) return undefined;
  return encodeBase64Url(bytes.subarray(1, SIGNED_BYTES));
}

/**
 * Where a handle came from: an argument of the call; the address of the request, which who calls cannot change; an address
 * below which calls take no handle either.
 */
export type HandlePlace = "argument" | "address" | "address-alone";

const MENDING: Readonly<Record<HandlePlace, string>> = {
  argument: "Open a new one with open_session, or call without a session.",
  address:
    "Open a new one with open_session and pass its handle as session with every call: it goes before the one in the address.",
  "address-alone": "Connect again without a session in the address.",
};

/** The error for a session that does not exist, is over, or is not the caller's: they are not told apart. */
export function unknownSession(place: HandlePlace): InputError {
  return new InputError(
    `There is no such session here: it ended after a day without use, its handle belongs to another corpus, or it is not written as it was given. ${MENDING[place]}`,
    [],
    place === "address-alone" ? undefined : "open_session({})",
  );
}

async function sign(signer: Signer, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return (await signer(bytes.subarray(0, SIGNED_BYTES))).subarray(0, SIGNATURE_BYTES);
}
