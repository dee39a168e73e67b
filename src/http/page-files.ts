/**
 * The Worker's static assets (`[assets]` of `wrangler.toml`): the modules for pages of any site, the sheet, the script and the icon of the
 * explorer, and `openapi.json`. `indexer/engine/bundle-pages.ts` writes them.
 *
 * They say nothing of what is indexed, and a page cannot send a key with a script, so they are for everybody, in a private
 * deployment too. Each corpus has the modules at its own address: where a module was loaded from says which corpus it asks.
 */
import { GRAMMARS } from "../core/text/code-languages.ts";
import { CORPORA_PATH } from "./addresses.ts";
import { EXPLORER_PATH } from "./explorer/links.ts";
import { JSON_TYPE, respondTagged, respondText } from "./respond.ts";

/** The binding of the assets; absent where `wrangler.toml` was written before there were any. */
export interface AssetBindings {
  readonly ASSETS?: { readonly fetch: (address: string) => Promise<Response> };
}

/** Assets are asked for by their path alone. */
const ASSET_ORIGIN = "https://assets.invalid";
const SCRIPT_TYPE = "text/javascript; charset=utf-8";
/** Pages have modules at once, and a newer one within a day; a page that asks after five minutes brings it. */
const CACHED = "public, max-age=300, stale-while-revalidate=86400";
const FOR_EVER = "public, max-age=31536000, immutable";
/** Without a version, or with that of another deployment, browsers ask again each time. */
const REVALIDATED = "public, no-cache";

/** Paths of the modules for pages of any site, below the address of a corpus. */
export const PAGE_SCRIPT_PATHS: readonly string[] = [
  "/search.js",
  "/search-answer-rows.js",
  "/search-mark-when-shown.js",
  "/search-static-client.js",
  "/search-strings.js",
  "/search-worker-client.js",
  "/highlight.js",
  "/pagefind/pagefind.js",
  "/pagefind/pagefind-highlight.js",
];

/** The explorer's files without a version. Browsers ask for the icon here where a page or JSON names none. */
export const EXPLORER_FILES = {
  style: `${EXPLORER_PATH}/style.css`,
  script: `${EXPLORER_PATH}/script.js`,
  graph: `${EXPLORER_PATH}/graph.js`,
  icon: "/favicon.ico",
};
const EXPLORER_TYPES: Readonly<Record<string, string>> = {
  [EXPLORER_FILES.style]: "text/css; charset=utf-8",
  [EXPLORER_FILES.icon]: "image/svg+xml",
  [EXPLORER_FILES.script]: SCRIPT_TYPE,
  [EXPLORER_FILES.graph]: SCRIPT_TYPE,
};
/** Paths of the explorer's files, at the root for all corpora. */
export const EXPLORER_FILE_PATHS: readonly string[] = [
  ...Object.keys(EXPLORER_TYPES),
  ...["core", ...GRAMMARS].map((name) => `${EXPLORER_PATH}/script-${name}.js`),
];

/** The answer to a GET of a module. @param path One of `PAGE_SCRIPT_PATHS`. */
export async function answerPageScript(request: Request, env: AssetBindings, path: string): Promise<Response> {
  const { bytes, tag } = await readAsset(env, path);
  const headers = { "Cache-Control": CACHED, "Cross-Origin-Resource-Policy": "cross-origin" };
  return respondTagged(request, bytes, `"${tag}"`, SCRIPT_TYPE, headers);
}

/** The answer to a GET of a file of the explorer, kept for ever by browsers that name its version. @param path One of `EXPLORER_FILE_PATHS`. */
export async function answerExplorerFile(request: Request, env: AssetBindings, path: string): Promise<Response> {
  const { bytes, tag } = await readAsset(env, path);
  const isNamed = new URL(request.url).searchParams.get("v") === tag;
  const headers = { "Cache-Control": isNamed ? FOR_EVER : REVALIDATED };
  return respondTagged(request, bytes, `"${tag}"`, EXPLORER_TYPES[path] ?? SCRIPT_TYPE, headers);
}

/** Those of this deployment, once an isolate has looked. */
let explorerFiles: typeof EXPLORER_FILES | undefined;

/** Addresses that name the versions of the explorer's files. A deployment without assets has none. */
export async function nameExplorerFiles(env: AssetBindings): Promise<typeof EXPLORER_FILES> {
  if (env.ASSETS === undefined) return EXPLORER_FILES;
  const name = async (path: string): Promise<string> => `${path}?v=${(await readAsset(env, path)).tag}`;
  const { style, script, graph, icon } = EXPLORER_FILES;
  explorerFiles ??= {
    style: await name(style),
    script: await name(script),
    graph: await name(graph),
    icon: await name(icon),
  };
  return explorerFiles;
}

/** @throws {Error} where the deployment lacks the file. */
async function readAsset({ ASSETS }: AssetBindings, path: string) {
  if (ASSETS === undefined) throw new Error("this deployment has no static assets: its wrangler.toml needs [assets]");
  const response = await ASSETS.fetch(ASSET_ORIGIN + path);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok) throw new Error(`the static assets lack ${path}: status ${response.status}`);
  return { bytes, tag: (response.headers.get("ETag") ?? "").replace(/^W\//, "").replaceAll('"', "") };
}

/** Address of the description of this interface. */
export const OPENAPI_PATH = "/openapi.json";
/** As documents for discovery. */
const CACHED_LONGER = "public, max-age=3600";

/**
 * The answer to `GET /openapi.json`: how this interface is called, for generators of clients and for agents. It says nothing of what is
 * indexed. The asset is a copy of `schemas/openapi.json`; what differs from deployment to deployment is put in here.
 *
 * @param base Address of the corpus.
 * @param needsKey Whether callers need a key.
 */
export async function answerOpenApi(
  request: Request,
  env: AssetBindings,
  base: string,
  needsKey: boolean,
): Promise<Response> {
  const asset = await readAsset(env, OPENAPI_PATH);
  const document = JSON.parse(new TextDecoder().decode(asset.bytes)) as {
    readonly paths: Readonly<Record<string, unknown>>;
    readonly security: readonly unknown[];
  };
  const { [CORPORA_PATH]: _, ...ofCorpus } = document.paths;
  const text = JSON.stringify({
    ...document,
    // Corpora are listed at the root alone.
    paths: new URL(base).pathname === "/" ? document.paths : ofCorpus,
    servers: [{ url: base }],
    security: needsKey ? [{ key: [] }] : document.security,
  });
  return respondText(request, text, `${JSON_TYPE}; charset=utf-8`, { "Cache-Control": CACHED_LONGER });
}
