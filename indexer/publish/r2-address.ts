/**
 * Names and addresses that Cloudflare R2 has: of accounts, of buckets, and of its S3 API.
 */

const ACCOUNT = /^[0-9a-f]{32}$/;
const BUCKET = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const JURISDICTION = /^[a-z][a-z0-9-]{0,30}$/;

/** Whether a text is the id of a Cloudflare account, as the dashboard and wrangler show it. */
export function isAccountId(text: string): boolean {
  return ACCOUNT.test(text);
}

/** Whether R2 takes a text as the name of a bucket. */
export function isR2Bucket(text: string): boolean {
  return BUCKET.test(text);
}

/** Whether a text can be the name of a jurisdiction, such as `eu`. Which ones there are is known to Cloudflare alone. */
export function isJurisdiction(text: string): boolean {
  return JURISDICTION.test(text);
}

/** The address of R2's S3 API for an account, without a bucket and without `/` at its end. */
export function r2Endpoint(account: string, jurisdiction?: string): string {
  const place = jurisdiction === undefined || jurisdiction === "" ? "" : `${jurisdiction}.`;
  return `https://${account}.${place}r2.cloudflarestorage.com`;
}
