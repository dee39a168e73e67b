/**
 * Which hosts this server answers under, and which web pages may call it.
 *
 * A server on a developer's machine must not answer a web page from elsewhere: neither one that calls the loopback
 * address (checked by `Origin`) nor one whose name was pointed at it (DNS rebinding, checked by `Host`). A public
 * deployment answers pages of any origin; its hosts are those that the platform routes to it.
 *
 * Pure: headers and settings in, a verdict out.
 */
import { quoteName } from "../core/text/quote-value.ts";

/** Settings, as the deployment gives them. */
export interface OriginSettings {
  /** Host names, separated by commas. Without it every host is accepted that the platform routes here. */
  readonly allowedHosts: string | undefined;
  /** Host names of pages, separated by commas, or `*`. Without it: any, but only loopback ones on a loopback host. */
  readonly allowedOrigins: string | undefined;
}

/** Names of this machine. */
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Why a request must not be answered, or undefined where it may be. */
export function refuseOrigin(request: Request, settings: OriginSettings): string | undefined {
  const host = hostOf(request);
  const hosts = listOf(settings.allowedHosts);
  if (hosts !== undefined && !hosts.has(host)) return `This server does not answer under the host ${quoteName(host)}.`;
  const origin = request.headers.get("Origin");
  if (origin === null) return undefined;
  const origins = listOf(settings.allowedOrigins) ?? (LOOPBACK.has(host) ? LOOPBACK : undefined);
  if (origins === undefined || origins.has("*") || origins.has(hostnameOf(origin))) return undefined;
  return `Web pages of ${quoteName(origin)} may not call this server.`;
}

/** Host name under which a request came, without port. */
function hostOf(request: Request): string {
  const header = request.headers.get("Host");
  return header === null ? new URL(request.url).hostname : hostnameOf(`http://${header}`);
}

function listOf(setting: string | undefined): ReadonlySet<string> | undefined {
  const names = (setting ?? "").split(",").map((name) => name.trim().toLowerCase());
  const list = new Set(names.filter((name) => name !== ""));
  return list.size === 0 ? undefined : list;
}

/** Host name of an address; `""`, which no list holds, where it is none (`Origin: null`). */
function hostnameOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : "";
}
