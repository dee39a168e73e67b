/**
 * Keys for signing, derived from the one secret of a deployment: one for each purpose and corpus, so that a signature made
 * for one thing never holds for another.
 *
 * HKDF (RFC 5869) over SHA-256 with purpose and corpus as its info; neither holds a space. Web crypto only, so it runs in Workers and Node alike.
 */
import type { Signer } from "../../core/bytes/capabilities.ts";

const SECRET_BYTES = 32;

/** What signatures are made for. */
export type SigningPurpose = "cursor" | "session";

/** Gives what signs for a purpose. */
export type SigningKeys = (purpose: SigningPurpose) => Promise<Signer>;

/** What is wrong with a deployment that has no secret, and how it gets one. */
export const SECRET_MISSING =
  "TREELINE_SECRET is not set: each isolate signs with random bytes of its own, so sessions and cursors fail at random. " +
  "`treeline deploy` makes it; by hand: openssl rand -hex 32 | npx wrangler secret put TREELINE_SECRET";

/** Whether there is a secret to sign with. */
export function hasSecret(secret: string | undefined): secret is string {
  return secret !== undefined && secret.trim() !== "";
}

/**
 * The keys of a corpus in a deployment with this secret; without one, out of random bytes that live as long as the process. Keys are
 * made when they are first needed: a Worker has no random bytes before its first request.
 *
 * @param corpus `""` for the one at the root, whose keys are those of deployments that had no other.
 */
export function createSigningKeys(secret: string | undefined, corpus = ""): SigningKeys {
  const encoder = new TextEncoder();
  let random: Uint8Array<ArrayBuffer> | undefined;
  const made = new Map<SigningPurpose, Signer>();
  return async (purpose) => {
    const known = made.get(purpose);
    if (known !== undefined) return known;
    if (!hasSecret(secret)) random ??= crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
    const bytes = random ?? encoder.encode(secret);
    const material = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
    const derivation = {
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: encoder.encode(corpus === "" ? `treeline ${purpose}` : `treeline ${purpose} ${corpus}`),
    };
    const key = await crypto.subtle.deriveKey(derivation, material, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const signer: Signer = async (signed) => new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
    // Only the finished key is kept; two first requests at once make the same key out of the same bytes.
    made.set(purpose, signer);
    return signer;
  };
}
