/**
 * Files that pages load: the sheet, the script and the icon. Their addresses name what is in them, so browsers keep them for ever; a
 * page of a newer server names others. They say nothing of what is indexed, so they are for everybody, and stand at the root
 * for all corpora.
 */
import { crc32 } from "../../core/bytes/checksum.ts";
import { PAGE_FILES } from "../page-files.ts";
import { respondTagged } from "../respond.ts";
import { EXPLORER_PATH } from "./links.ts";
import { EXPLORER_STYLE } from "./style.ts";

/** The part of the explorer's sheet for trees, graphs and filters, as text. Shapes say what colours say. */
const GRAPH_STYLE = `
.controls{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:end;margin-block:.5rem 1rem}
.controls label{display:inline-flex;flex-wrap:wrap;gap:.25rem .5rem;align-items:center;max-inline-size:100%}
.controls select,.controls input{max-inline-size:100%}
.tree{list-style:none;padding-inline-start:0}
.tree .tree{padding-inline-start:1.25rem;border-inline-start:1px solid var(--line);margin-block:0}
.tree li{padding-block:.2rem}
.tree summary{inline-size:auto}
.folder>a,.folder>bdi,.folder>details>summary>bdi{font-weight:600}
.names{list-style:none;padding:0}
.names li{padding-block:.15rem}
.kind{display:inline-block;min-inline-size:2.1em;text-align:center;font:.75rem var(--mono);border:1px solid var(--soft);border-radius:3px;text-decoration:none;cursor:help}
.exported{font-size:.75rem;border:1px solid var(--good);color:var(--good);border-radius:3px;padding:0 .3em}
.scroll{overflow:auto;max-block-size:80vh;border:1px solid var(--line);border-radius:var(--radius);background:var(--ground);direction:ltr}
.zoom{display:flex;flex-wrap:wrap;white-space:nowrap;gap:.375rem;margin-block:.5rem}
.graph,.matrix svg{display:block;font:12px var(--mono)}
.graph text,.matrix text{fill:var(--text)}
.graph .large{font-size:15px}
.graph rect{fill:var(--raised);stroke:var(--soft)}
.graph .frame rect{fill:none;stroke:var(--line)}
.graph .frame text{fill:var(--soft)}
.graph .folder>rect:first-of-type{stroke:var(--link);stroke-width:1.5}
.graph .folder text{fill:var(--link)}
.graph .outside rect,.graph .rest rect{stroke-dasharray:4 3;fill:var(--ground)}
.graph .cycle rect{stroke:var(--error)}
.graph .cycle .inner,.graph .inner{fill:none}
.graph a{outline:none;text-decoration:none}
.graph a:hover text{text-decoration:underline}
.graph a:focus-visible rect:first-of-type{stroke:var(--strong);stroke-width:4}
.ways path{fill:none;stroke:var(--soft);opacity:.6}
.ways .cycle{stroke:var(--error)}
.ways .types{stroke-dasharray:5 3}
.dense .ways path{opacity:.3}
.focused .ways path{opacity:.08}
.graph .ways .near{opacity:1;stroke-width:2}
.focused .box:not(.near){opacity:.45}
.graph .near rect:first-of-type{stroke-width:2.5}
.matrix{display:flex;align-items:end;inline-size:max-content}
.matrix ol{margin:0;padding:0 .5rem 0 3rem;position:sticky;left:0;background:var(--ground);border-right:1px solid var(--line);max-inline-size:60vw;z-index:1;font:12px/18px var(--mono)}
.matrix li{block-size:18px;white-space:nowrap}
.matrix svg text{font-size:9px;text-anchor:middle;fill:var(--soft)}
.grid{stroke:var(--line);fill:none}
.self{fill:var(--line)}
.mark{fill:var(--bar)}
.mark.cycle{fill:var(--error)}
.tabs{margin-block:.5rem}
.place{overflow-wrap:anywhere}
.focus{border-inline-start:4px solid var(--strong);padding-inline-start:.75rem}
.highlights{padding-inline-start:1.25rem}
.boxes{list-style:none;padding-inline-start:0}
.boxes li{padding-block:.35rem;border-block-end:1px solid var(--line)}
@media (max-width:30rem){.matrix ol{padding-inline-start:2.5rem}.matrix li a{display:inline-block;max-inline-size:8rem;overflow:hidden;vertical-align:top;text-align:end;direction:rtl}.matrix li a bdi{direction:ltr;unicode-bidi:isolate}}
@media (forced-colors:active){.graph rect,.graph path{stroke:CanvasText}.graph text{fill:CanvasText}.graph .folder text{fill:LinkText}}
`.trimStart();

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
