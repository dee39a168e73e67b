/**
 * Cloudflare's API on this machine, as far as a deployment asks it: accounts, buckets, scripts with their bindings and secrets,
 * the workers.dev subdomain. It keeps state like the real one and remembers each request.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that arrived. */
export interface FakeCall {
  readonly method: string;
  /** Path behind the account: `/r2/buckets`. */
  readonly path: string;
}

/** A binding as it was uploaded. */
export interface FakeBinding {
  readonly type: string;
  readonly name: string;
  readonly [setting: string]: unknown;
}

/** A script as it was uploaded last. */
export interface FakeScript {
  readonly bindings: readonly FakeBinding[];
  /** What was uploaded beside the code. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Values of secrets, which the API never gives back. */
  readonly secrets: ReadonlyMap<string, string>;
  /** How often it was uploaded. */
  readonly uploads: number;
}

/** What the account is like. */
export interface FakeAccount {
  readonly buckets: Set<string>;
  readonly scripts: Map<string, FakeScript>;
  readonly calls: FakeCall[];
  /** Whether it has a workers.dev subdomain. */
  subdomain: string | undefined;
  /** Answers a request in place of the account: an error of the API. */
  refuse:
    | ((call: FakeCall) => { readonly status: number; readonly code: number; readonly message: string } | undefined)
    | undefined;
}

/** The API, running. */
export interface FakeCloudflare {
  readonly account: FakeAccount;
  /** Variables of the environment with which wrangler asks it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** The one account. */
export const FAKE_ACCOUNT = "0123456789abcdef0123456789abcdef";
const TOKEN = "token-of-the-fake-account";
const VERSION = "11111111-2222-4333-8444-555555555555";
/** Where wrangler asks which static assets are to be uploaded. A session changes no Worker. */
export const ASSETS_SESSION = "assets-upload-session";
const ADDED_AT = "2026-01-01T00:00:00Z";

class ApiError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Starts it on a free port of the loopback address. */
export async function startFakeCloudflare(): Promise<FakeCloudflare> {
  const account: FakeAccount = {
    buckets: new Set(),
    scripts: new Map(),
    calls: [],
    subdomain: "maintainer",
    refuse: undefined,
  };
  const server = createServer(async (request, response) => {
    let status = 200;
    let body: object;
    try {
      body = { success: true, errors: [], messages: [], result: await answer(account, request) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      status = error.status;
      body = { success: false, errors: [{ code: error.code, message: error.message }], messages: [], result: null };
    }
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    account,
    environment: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
      CLOUDFLARE_API_TOKEN: TOKEN,
      CLOUDFLARE_ACCOUNT_ID: FAKE_ACCOUNT,
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      NO_PROXY: "127.0.0.1",
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(account: FakeAccount, request: IncomingMessage): Promise<unknown> {
  const { pathname } = new URL(request.url ?? "/", "http://fake");
  const path = pathname.replace("/client/v4", "").replace(`/accounts/${FAKE_ACCOUNT}`, "");
  const call = { method: request.method ?? "GET", path };
  account.calls.push(call);
  const refusal = account.refuse?.(call);
  if (refusal !== undefined) throw new ApiError(refusal.status, refusal.code, refusal.message);
  if (request.headers.authorization !== `Bearer ${TOKEN}`) throw new ApiError(403, 10000, "Authentication error");
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const [, first, second, name, what] = path.split("/");
  if (path === "/user/tokens/verify") return { id: "1", status: "active" };
  if (path === "/user") return { email: "maintainer@example.com" };
  if (path === "/accounts") return [{ id: FAKE_ACCOUNT, name: "Maintainer" }];
  if (path === "/memberships") return [{ account: { id: FAKE_ACCOUNT, name: "Maintainer" }, roles: [] }];
  if (first === "r2") return answerBuckets(account, call, name, body);
  if (first === "workers" && second === "scripts" && name !== undefined) {
    return answerScript(account, call, name, what, await readForm(request, body));
  }
  if (first === "workers" && second === "subdomain") {
    if (account.subdomain === undefined) throw new ApiError(404, 10007, "This account has no workers.dev subdomain.");
    return { subdomain: account.subdomain };
  }
  if (first === "workers" && second === "services" && name !== undefined) {
    if (!account.scripts.has(name)) throw new ApiError(404, 10090, "This service does not exist on your account.");
    return {
      id: name,
      default_environment: { environment: "production", script: { tags: [], last_deployed_from: "wrangler" } },
    };
  }
  if (first === "workers" && second === "workers") return { subdomain: { enabled: true, previews_enabled: false } };
  throw new ApiError(404, 7003, `Could not route to ${call.method} ${path}`);
}

function answerBuckets({ buckets }: FakeAccount, call: FakeCall, name: string | undefined, body: Buffer): unknown {
  if (call.path === "/r2/buckets" && call.method === "POST") {
    const made = String((JSON.parse(body.toString()) as { name: string }).name);
    if (buckets.has(made)) throw new ApiError(409, 10004, "The bucket you tried to create already exists");
    buckets.add(made);
    return { name: made };
  }
  if (call.path === "/r2/buckets") return { buckets: [...buckets].map((bucket) => ({ name: bucket })) };
  const wanted = call.path.split("/")[3] ?? name ?? "";
  if (!buckets.has(wanted)) throw new ApiError(404, 10006, "The specified bucket does not exist.");
  return { name: wanted, creation_date: ADDED_AT };
}

function answerScript(
  { scripts }: FakeAccount,
  { method }: FakeCall,
  name: string,
  what: string | undefined,
  form: Readonly<Record<string, unknown>> | undefined,
): unknown {
  const script = scripts.get(name);
  const isUpload = (method === "PUT" && what === undefined) || (method === "POST" && what === "versions");
  if (isUpload && form !== undefined) {
    scripts.set(name, upload(script, form));
    return {
      id: VERSION,
      deployment_id: VERSION.replaceAll("-", ""),
      etag: "etag",
      startup_time_ms: 40,
      resources: { script: { etag: "etag" } },
    };
  }
  // It has all static assets already.
  if (what === ASSETS_SESSION) return { jwt: "token-of-the-assets", buckets: [] };
  if (script === undefined) throw new ApiError(404, 10007, "This Worker does not exist on your account.");
  if (what === "secrets") return [...script.secrets.keys()].map((secret) => ({ name: secret, type: "secret_text" }));
  if (what === "settings" || what === "script-settings") return { bindings: script.bindings, tags: [] };
  if (what === "subdomain") return { enabled: true, previews_enabled: false };
  if (what === "deployments") return method === "GET" ? { deployments: [] } : { id: VERSION };
  if (what === "versions") return { items: [] };
  if (what === undefined) return { id: name, tags: [] };
  throw new ApiError(404, 7003, `Could not route to ${method} ${what}`);
}

/** Secrets of the version before stay, as the API keeps those that an upload does not name. */
function upload(before: FakeScript | undefined, metadata: Readonly<Record<string, unknown>>): FakeScript {
  const bindings = metadata["bindings"] as readonly (FakeBinding & { readonly text?: string })[];
  const isSecret = ({ type }: FakeBinding): boolean => type === "secret_text";
  const secrets = new Map(before?.secrets ?? []);
  for (const { name, text } of bindings.filter(isSecret)) secrets.set(name, String(text));
  return {
    bindings: bindings.filter((binding) => !isSecret(binding)),
    metadata,
    secrets,
    uploads: (before?.uploads ?? 0) + 1,
  };
}

/** The metadata of a multipart upload. */
async function readForm(
  request: IncomingMessage,
  body: Buffer,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) return undefined;
  const form = await new Response(new Uint8Array(body), { headers: { "Content-Type": type } }).formData();
  const metadata = form.get("metadata");
  if (metadata === null) return undefined;
  return JSON.parse(typeof metadata === "string" ? metadata : await metadata.text()) as Record<string, unknown>;
}
