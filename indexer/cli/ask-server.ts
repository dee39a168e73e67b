/**
 * Questions to a deployed server, for the commands that an operator uses.
 *
 * I/O: `fetch`. A key comes from the environment, because everybody on the machine can read the arguments of a process.
 */
import process from "node:process";
import { InputError } from "../../src/core/errors.ts";
import { isSafeForSecrets } from "../../src/core/text/addresses.ts";

/** Variable of the environment that holds the key. */
export const KEY_VARIABLE = "TREELINE_KEY";

/** A server that reads its index from far away and checks its parts answers within this. */
const TIMEOUT_MS = 30_000;

/** An answer in JSON. */
export interface ServerAnswer {
  readonly status: number;
  /** Whether a key was sent. */
  readonly withKey: boolean;
  /** The object that was sent; undefined where it was none. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What a server answers to a GET.
 *
 * @param address The server's address, with or without `/mcp` at its end.
 * @throws {InputError} where the address is none, nothing answers there, or a key would travel in the open.
 */
export async function askServer(
  address: string,
  path: string,
  key: string | undefined = process.env[KEY_VARIABLE],
): Promise<ServerAnswer> {
  if (!URL.canParse(address)) throw new InputError(`${JSON.stringify(address)} is no web address`);
  const url = new URL(address);
  const base = url.pathname.replace(/\/(mcp\/?)?$/, "");
  const headers: Record<string, string> = { Accept: "application/json" };
  const withKey = key !== undefined && key !== "";
  if (withKey) {
    if (!isSafeForSecrets(url)) {
      throw new InputError(`the key in ${KEY_VARIABLE} is sent over https only, or to this machine`);
    }
    headers["Authorization"] = `Bearer ${key}`;
  }
  let response: Response;
  try {
    response = await fetch(`${url.origin}${base}${path}`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    throw Object.assign(new InputError(`${url.origin} does not answer: ${why}`), { cause });
  }
  return { status: response.status, withKey, body: parseObject(await response.text()) };
}

/** The error for an answer that is a refusal. */
export function refusalOf({ status, withKey, body }: ServerAnswer, address: string): InputError {
  const error = typeof body?.["error"] === "string" ? body["error"] : `status ${status}`;
  const sentence = /[.!?]$/.test(error) ? error : `${error}.`;
  const isKey = status === 401 || status === 403;
  const source = withKey ? `The key was that of ${KEY_VARIABLE}.` : `Set ${KEY_VARIABLE} to a key that may ask this.`;
  const { origin } = new URL(address);
  return new InputError(
    `${address} refuses: ${sentence}${isKey ? ` ${source}` : ""}`,
    corporaIn(body?.["nearest"]).map((name) => `${origin}/${name}`),
  );
}

/** Names of corpora among addresses that a server proposes. */
function corporaIn(nearest: unknown): readonly string[] {
  const addresses: readonly unknown[] = Array.isArray(nearest) ? nearest : [];
  return addresses.flatMap((one) => (typeof one === "string" ? (/^\/([^/]+)\/mcp$/.exec(one)?.[1] ?? []) : []));
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // A page, or nothing: then it is not the server that was meant.
  }
  return undefined;
}
