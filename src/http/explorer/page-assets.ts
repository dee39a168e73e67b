/**
 * Files that pages load: the sheet, the script and the icon. Their addresses name what is in them, so browsers keep them for ever; a
 * page of a newer server names others. They say nothing of what is indexed, so they are for everybody, and stand at the root
 * for all corpora.
 */
import { crc32 } from "../../core/bytes/checksum.ts";
import { PAGE_FILES } from "../page-files.ts";
import { respondTagged } from "../respond-tagged.ts";
import { GRAPH_STYLE } from "./graph-style.ts";
import { EXPLORER_PATH } from "./navigation.ts";
import { EXPLORER_STYLE } from "./style.ts";

/** Path of the sheet. */
const STYLE_PATH = `${EXPLORER_PATH}/style.css`;
/** Path of the script. */
const SCRIPT_PATH = `${EXPLORER_PATH}/script.js`;
/** Path of the icon: browsers ask for it here where a page or JSON names none. */
const ICON_PATH = "/favicon.ico";
/** Lines of a tree, white on the blue of links. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3.5" fill="#0b57c2"/><path d="M3.5 4h9M5 4v8h7.5M5 8h7.5" fill="none" stroke="#fff" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

interface Asset {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly version: string;
}

const FOR_EVER = "public, max-age=31536000, immutable";
/** Who names no version, or one of another server's, asks again each time. */
const REVALIDATED = "public, no-cache";

const ASSETS: ReadonlyMap<string, Asset> = new Map([
  [STYLE_PATH, makeAsset(`${EXPLORER_STYLE}${GRAPH_STYLE}`, "text/css; charset=utf-8")],
  [ICON_PATH, makeAsset(ICON, "image/svg+xml")],
  [SCRIPT_PATH, makeAsset(PAGE_FILES.get(SCRIPT_PATH.slice(1))?.text ?? "", "text/javascript; charset=utf-8")],
]);

/** Paths of all files. */
export const ASSET_PATHS: readonly string[] = [...ASSETS.keys()];
/** Address by which pages load the sheet. */
export const STYLE_ADDRESS = addressOf(STYLE_PATH);
/** Address by which pages load the script. */
export const SCRIPT_ADDRESS = addressOf(SCRIPT_PATH);

/** Address by which pages load the icon. */
export const ICON_ADDRESS = addressOf(ICON_PATH);

/** The answer to a GET of such a file. @param path One of `ASSET_PATHS`. */
export function answerAsset(request: Request, path: string): Response {
  const { bytes, type, version } = ASSETS.get(path) as Asset;
  const isNamed = new URL(request.url).searchParams.get("v") === version;
  const headers = { "Cache-Control": isNamed ? FOR_EVER : REVALIDATED };
  return respondTagged(request, bytes, `"${version}"`, type, headers);
}

function makeAsset(text: string, type: string): Asset {
  const bytes = new TextEncoder().encode(text);
  return { bytes, type, version: crc32(bytes).toString(16) };
}

function addressOf(path: string): string {
  return `${path}?v=${ASSETS.get(path)?.version}`;
}
