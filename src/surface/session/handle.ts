/**
 * Handles: the names that callers have for sessions, 16 random bytes, sealed, so that nobody can make one up. A handle is all that
 * it takes to use a session, so it stands in no log, no cursor and no error.
 */

import type { Signer } from "../../core/bytes/capabilities.ts";
import { encodeBase64Url } from "../../core/bytes/encodings.ts";
import { InputError } from "../../core/errors.ts";
import { seal, unseal } from "../access/signing-keys.ts";

const ID_BYTES = 16;

/** A handle for a new session, and the id by which storage knows it. */
export async function makeHandle(signer: Signer): Promise<{ readonly handle: string; readonly id: string }> {
  const id = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return { handle: await seal(signer, id), id: encodeBase64Url(id) };
}

/** The id of the session that a handle names, whether or not there is such a session; undefined when this signer did not make it. */
export async function readHandle(signer: Signer, handle: string): Promise<string | undefined> {
  const id = await unseal(signer, handle, ID_BYTES);
  return id && encodeBase64Url(id);
}

/**
 * Where a handle came from: an argument of the call; the address of the request, which who calls cannot change; an address
 * below which calls take no handle either.
 */
type HandlePlace = "argument" | "address" | "address-alone";

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
