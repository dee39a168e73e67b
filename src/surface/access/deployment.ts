/**
 * Access settings of a deployment: public or private, which hosts it answers under, which web pages may call it. Read in one place, so
 * that a value that is spelt wrong closes and never opens.
 *
 * A server on a developer's machine must not answer a web page from elsewhere: neither one that calls the loopback address (checked by
 * `Origin`) nor one whose name was pointed at it (DNS rebinding, checked by `Host`). A public deployment answers pages of any origin; its
 * hosts are those that the platform routes to it. A private one answers its own pages and those of a list.
 */
import { LOOPBACK_HOSTS } from "../../core/text/addresses.ts";
import { quoteName } from "../../core/text/nearest.ts";

/** Settings as the deployment gives them. */
export interface AccessSettings {
  /** `public` (also when absent) or `private`. */
  readonly ACCESS?: string;
  /** Team and application of Cloudflare Access, see `tokens.ts`. */
  readonly ACCESS_TEAM_DOMAIN?: string;
  readonly ACCESS_AUDIENCE?: string;
  /** Collections that the bearers of its tokens may see, see `tokens.ts`. */
  readonly ACCESS_COLLECTIONS?: string;
  /** Addresses of authorization servers, separated by commas. */
  readonly AUTHORIZATION_SERVERS?: string;
}

/** Whether nobody without a credential is answered. Anything but `public` is private. */
export function isPrivate({ ACCESS }: AccessSettings): boolean {
  const mode = (ACCESS ?? "").trim().toLowerCase();
  return mode !== "" && mode !== "public";
}

export function authorizationServers({ AUTHORIZATION_SERVERS }: AccessSettings): readonly string[] {
  return (AUTHORIZATION_SERVERS ?? "").split(",").flatMap((one) => (one.trim() === "" ? [] : [one.trim()]));
}

/** Settings, as the deployment gives them. */
interface OriginSettings {
  /** Host names, separated by commas. Without it every host is accepted that the platform routes here. */
  readonly allowedHosts: string | undefined;
  /**
   * Host names of pages, separated by commas, or `*`. Without it: any, but only loopback ones on a loopback host, and
   * where the deployment is private only its own elsewhere.
   */
  readonly allowedOrigins: string | undefined;
  /** Whether the deployment answers nobody without a credential. */
  readonly isPrivate?: boolean;
}

const NOBODY: ReadonlySet<string> = new Set();

/** Why a request must not be answered, or undefined where it may be. */
export function refuseOrigin(request: Request, settings: OriginSettings): string | undefined {
  const host = hostOf(request);
  const hosts = listOf(settings.allowedHosts);
  if (hosts !== undefined && !hosts.has(host)) return `This server does not answer under the host ${quoteName(host)}.`;
  const origin = request.headers.get("Origin");
  if (origin === null) return undefined;
  const origins = listOf(settings.allowedOrigins) ?? defaultOrigins(host, settings.isPrivate === true);
  if (origins === undefined || origins.has("*") || origins.has(hostnameOf(origin))) return undefined;
  // A page of this server itself, where the list is about others.
  if (settings.isPrivate === true && isOwn(request, origin)) return undefined;
  return `Web pages of ${quoteName(origin)} may not call this server. ALLOWED_ORIGINS says which may.`;
}

/**
 * The origin whose pages may read the answer to a request that was not refused: `*` for any, undefined where it came from no
 * page and only pages of a list may. Credentials of browsers are never allowed.
 */
export function readableBy(request: Request, { allowedOrigins, isPrivate }: OriginSettings): string | undefined {
  const list = listOf(allowedOrigins);
  const isOpen = list === undefined ? isPrivate !== true : list.has("*");
  return isOpen ? "*" : (request.headers.get("Origin") ?? undefined);
}

/** Whether a request came to this machine by an address of its own. */
export function isLoopback(request: Request): boolean {
  return LOOPBACK_HOSTS.has(hostOf(request));
}

/** Pages that may call where there is no list; undefined for all. */
function defaultOrigins(host: string, isPrivate: boolean): ReadonlySet<string> | undefined {
  if (LOOPBACK_HOSTS.has(host)) return LOOPBACK_HOSTS;
  return isPrivate ? NOBODY : undefined;
}

function isOwn(request: Request, origin: string): boolean {
  const { protocol, host } = new URL(request.url);
  return origin.toLowerCase() === `${protocol}//${request.headers.get("Host")?.toLowerCase() ?? host}`;
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
