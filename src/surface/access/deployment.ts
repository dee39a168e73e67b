/**
 * What a deployment's settings say about access. Read in one place, so that a value that is spelt wrong closes and never
 * opens.
 *
 * Pure: texts in, values out.
 */

/** Settings as the deployment gives them. */
export interface AccessSettings {
  /** `public` (also when absent) or `private`. */
  readonly ACCESS?: string;
  /** Team and application of Cloudflare Access, see `tokens.ts`. */
  readonly ACCESS_TEAM_DOMAIN?: string;
  readonly ACCESS_AUDIENCE?: string;
  /** Collections that the bearers of its tokens may see, see `identity.ts`. */
  readonly ACCESS_COLLECTIONS?: string;
  /** Addresses of authorization servers, separated by commas. */
  readonly AUTHORIZATION_SERVERS?: string;
}

/** Whether nobody without a credential is answered. Anything but `public` is private. */
export function isPrivate({ ACCESS }: AccessSettings): boolean {
  const mode = (ACCESS ?? "").trim().toLowerCase();
  return mode !== "" && mode !== "public";
}

/** Addresses of authorization servers. */
export function authorizationServers({ AUTHORIZATION_SERVERS }: AccessSettings): readonly string[] {
  return (AUTHORIZATION_SERVERS ?? "").split(",").flatMap((one) => (one.trim() === "" ? [] : [one.trim()]));
}
