/** A Cloudflare Access team for tests: it signs tokens, and lists its public keys as the real one does. */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

/** Name of the application that tokens are for. */
export const AUDIENCE = "f".repeat(64);

/** A team. */
export interface AccessTeam {
  readonly issuer: string;
  /** A token with these claims and header fields; valid where a test changes none. */
  readonly sign: (claims?: JWTPayload, header?: Readonly<Record<string, unknown>>) => Promise<string>;
  /** What stands at `/cdn-cgi/access/certs`. */
  readonly certs: () => { readonly keys: readonly object[] };
  /** The public key as text: what an attacker knows. */
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

/** Makes a team with a key of its own. @param now Seconds since 1970 at which its tokens are issued. */
export async function makeTeam(
  issuer: string,
  { algorithm = "RS256", keyId = "key-1", now }: { algorithm?: string; keyId?: string; now: number },
): Promise<AccessTeam> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  return {
    issuer,
    publicJwk,
    sign: (claims = {}, header = {}) =>
      new SignJWT({
        iss: issuer,
        aud: [AUDIENCE],
        sub: "7335d417-61da-459d-899c-0a01c76a2f94",
        iat: now,
        exp: now + 3600,
        ...claims,
      })
        .setProtectedHeader({ alg: algorithm, kid: keyId, ...header })
        .sign(privateKey),
    certs: () => ({ keys: [{ ...publicJwk, kid: keyId, alg: algorithm, use: "sig" }] }),
  };
}
