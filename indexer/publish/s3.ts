/**
 * Objects of a bucket through the S3 API, as R2 offers it: read with their tags, written only where nobody wrote meanwhile.
 */
import process from "node:process";
import { AwsClient } from "aws4fetch";
import { InputError } from "../../src/core/errors.ts";
import { isSafeForSecrets } from "../../src/core/loopback.ts";

/** An object and its tag. */
export interface BucketObject {
  readonly bytes: Uint8Array;
  /** As the bucket gives it, to be given back. */
  readonly etag: string;
}

/** A bucket. */
export interface Bucket {
  /** The object of a name; undefined where there is none. */
  readonly get: (name: string) => Promise<BucketObject | undefined>;
  /**
   * Writes an object where it still has a tag, or where there is still none of the name. False where somebody else was
   * faster.
   */
  readonly put: (
    name: string,
    bytes: Uint8Array<ArrayBuffer>,
    type: string,
    known: string | undefined,
  ) => Promise<boolean>;
}

/** What signs requests. */
export interface BucketCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** R2 knows one region. */
const REGION = "auto";
/** Answers that another try may mend. */
const RETRIES = 3;
const SHOWN_CHARACTERS = 300;
const EXAMPLE = "--bucket https://ACCOUNT.r2.cloudflarestorage.com/treeline-index";

/** The credentials that the environment holds: a command line can be read by everybody on the machine. @throws {InputError} */
export function readCredentials(environment: NodeJS.ProcessEnv = process.env): BucketCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new InputError(
      "the bucket needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to those of an R2 API token",
    );
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}

/** The bucket at an address: the S3 endpoint with the bucket's name behind it. @throws {InputError} for an address that is none. */
export function openBucket(address: string, credentials: BucketCredentials): Bucket {
  const base = checkAddress(address);
  const client = new AwsClient({ ...credentials, service: "s3", region: REGION, retries: RETRIES });
  const urlOf = (name: string): string => `${base}/${encodeURIComponent(name)}`;
  return {
    async get(name) {
      const response = await client.fetch(urlOf(name));
      if (response.status === 404 && !(await isMissingBucket(response))) return undefined;
      if (!response.ok) throw await describeFailure(response, `reading ${name}`);
      const etag = response.headers.get("ETag");
      if (etag === null) throw new Error(`the bucket gave ${name} without a tag`);
      return { bytes: new Uint8Array(await response.arrayBuffer()), etag };
    },
    async put(name, bytes, type, known) {
      const condition: Record<string, string> = known === undefined ? { "If-None-Match": "*" } : { "If-Match": known };
      const response = await client.fetch(urlOf(name), {
        method: "PUT",
        body: bytes,
        headers: { "Content-Type": type, ...condition },
      });
      if (response.status === 412 || response.status === 409) return false;
      if (!response.ok) throw await describeFailure(response, `writing ${name}`);
      return true;
    },
  };
}

function checkAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !isSafeForSecrets(url)) {
    throw new InputError("--bucket must be an https address: the S3 endpoint and the name of the bucket", [], EXAMPLE);
  }
  if (url.username !== "" || url.password !== "") {
    throw new InputError("--bucket must hold no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead");
  }
  const path = url.pathname.replace(/\/+$/, "");
  if (path === "" || url.search !== "" || url.hash !== "") {
    throw new InputError("--bucket must end with the name of the bucket", [], EXAMPLE);
  }
  return `${url.origin}${path}`;
}

/** An object that is not there and a bucket that is not there have the same status. */
async function isMissingBucket(response: Response): Promise<boolean> {
  return (await response.clone().text()).includes("NoSuchBucket");
}

async function describeFailure(response: Response, what: string): Promise<Error> {
  const text = await response.text();
  const code = /<Code>([\w.]{1,60})<\/Code>/.exec(text)?.[1];
  if (code === "NoSuchBucket") return new InputError("there is no such bucket at that address", [], EXAMPLE);
  if (response.status === 401 || response.status === 403) {
    return new InputError(
      `the bucket refused the credentials (${what}: ${code ?? response.status}); they need to read and write objects`,
    );
  }
  const words = code ?? text.replace(/[^\x20-\x7e]+/g, " ").slice(0, SHOWN_CHARACTERS);
  return new Error(`${what} was answered with status ${response.status}: ${words}`);
}
