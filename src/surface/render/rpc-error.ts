/**
 * An error of JSON-RPC (section 5.1 of its specification) as the whole answer to a request that reached no server. The one
 * place for stations before the endpoint and for the endpoint itself.
 */
import { cleanText } from "./text.ts";

/** Code of an error that JSON-RPC leaves to servers. */
export const SERVER_ERROR = -32000;

/** What is answered. */
export interface RpcError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Id of the request; null where it was not read. */
  readonly id?: string | number | null;
}

/** The response. It is never cached. */
export function respondRpcError({ status, code, message, headers = {}, id = null }: RpcError): Response {
  return Response.json(
    { jsonrpc: "2.0", error: { code, message: cleanText(message).text }, id },
    { status, headers: { "Cache-Control": "no-store", ...headers } },
  );
}
