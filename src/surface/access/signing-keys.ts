/**
 * Keys for signing, derived from the one secret of a deployment: one for each purpose and corpus, so that a signature made
 * for one thing never holds for another.
 *
 * What is signed is sent as base64url: version (1 byte), content, signature (16: HMAC-SHA-256 over all before it, cut).
 *
 * HKDF (RFC 5869) over SHA-256 with purpose and corpus as its info; neither holds a space. Web crypto only, so it runs in Workers and Node alike.
 */
import type { Signer } from "../../core/bytes/capabilities.ts";
import { decodeBase64Url, encodeBase64Url, equalBytes } from "../../core/bytes/encodings.ts";

const SECRET_BYTES = 32;
const VERSION = 1;
/** 128 bits of the signature: forging one takes 2^127 tries over the network. */
const SIGNATURE_BYTES = 16;
/** Longer texts are not looked at. */
const MAX_SEALED_LENGTH = 200;

type SigningPurpose = "cursor" | "session";

/** Gives what signs for a purpose. */
export type SigningKeys = (purpose: SigningPurpose) => Promise<Signer>;

/** What is wrong with a deployment that has no secret, and how it gets one. */
export const SECRET_MISSING =
  "TREELINE_SECRET is not set: each isolate signs with random bytes of its own, so sessions and cursors fail at random. " +
  "`treeline deploy` makes it; by hand: openssl rand -hex 32 | npx wrangler secret put TREELINE_SECRET";

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

/** Some bytes as a text that nobody else can make. */
export async function seal(signer: Signer, content: Uint8Array): Promise<string> {
  const signed = Uint8Array.of(VERSION, ...content);
  return encodeBase64Url(Uint8Array.of(...signed, ...(await signatureOf(signer, signed))));
}

/** The bytes that such a text holds; undefined where this signer did not make it, or of so many bytes. */
export async function unseal(signer: Signer, text: string, length: number): Promise<Uint8Array | undefined> {
  const bytes = text.length > MAX_SEALED_LENGTH ? undefined : decodeBase64Url(text);
  if (bytes?.length !== 1 + length + SIGNATURE_BYTES || bytes[0] !== VERSION) return undefined;
  const signed = bytes.subarray(0, 1 + length);
  return equalBytes(await signatureOf(signer, signed), bytes.subarray(1 + length)) ? signed.subarray(1) : undefined;
}

async function signatureOf(signer: Signer, signed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return (await signer(signed)).subarray(0, SIGNATURE_BYTES);
}
