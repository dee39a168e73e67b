/**
 * What a caller shows in the headers of a request: a key, a token of Cloudflare Access, or something that is neither.
 *
 * Nothing is read from the address or from cookies: addresses stand in logs, and cookies are sent by pages that were not
 * asked. Pure: headers in, a verdict out.
 */
import { KEY_TEXT } from "./access-file.ts";
import { looksLikeToken } from "./tokens.ts";

/** Header in which Access passes on whom it let through. */
const ASSERTION_HEADER = "Cf-Access-Jwt-Assertion";
/** Headers that answers depend on. */
export const CREDENTIAL_HEADERS = `Authorization, ${ASSERTION_HEADER}`;
/** A token of Access has about a thousand characters. */
const MAX_LENGTH = 8192;

export type Credential =
  | { readonly kind: "key" | "token"; readonly text: string }
  | { readonly kind: "malformed"; readonly reason: string };

/** What stands in `Authorization`; undefined where the header is absent. */
export function readAuthorization(headers: Headers): Credential | undefined {
  const header = headers.get("Authorization");
  if (header === null) return undefined;
  if (header.length > MAX_LENGTH) return malformed(`is longer than ${MAX_LENGTH} characters`);
  // Two headers of the name arrive as one with a comma, which no key and no token holds.
  const [, scheme = "", text = ""] = /^([^ \t]*)[ \t]*(.*)$/.exec(header) ?? [];
  if (scheme.toLowerCase() !== "bearer") return malformed("must begin with Bearer");
  if (text === "") return malformed("has nothing after Bearer");
  if (KEY_TEXT.test(text)) return { kind: "key", text };
  if (looksLikeToken(text)) return { kind: "token", text };
  return malformed("holds neither a key (tl_…) nor a token");
}

/** What Access passed on; undefined where the header is absent. */
export function readAssertion(headers: Headers): Credential | undefined {
  const text = headers.get(ASSERTION_HEADER);
  if (text === null) return undefined;
  return text.length <= MAX_LENGTH && looksLikeToken(text)
    ? { kind: "token", text }
    : { kind: "malformed", reason: `${ASSERTION_HEADER} holds no token` };
}

function malformed(what: string): Credential {
  return { kind: "malformed", reason: `The header Authorization ${what}` };
}
