/** A plain static web host for built sites, as GitHub Pages is one, and what it was asked for. */
import { readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type StaticHost, serveFiles } from "../../test/support/static-host.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};
const UNKNOWN = "application/octet-stream";

/** A host that serves a built site. */
export interface SiteHost extends StaticHost {
  /** Address of the site, with its base. */
  readonly site: string;
  /** Paths that were asked for without the slash that ends them: a host redirects there. */
  readonly redirected: Set<string>;
  /** Bytes of a file as hosts send code, with gzip. */
  readonly packed: (path: string) => number;
  /** Milliseconds that files below `/treeline/` and `/pagefind/` wait. */
  delay: number;
}

/** Serve a built site below its base: `/guide` is `guide.html`, `/guide/` is `guide/index.html`. Pages can be added. */
export async function serveSite(dist: string, base: string, added: ReadonlyMap<string, string>): Promise<SiteHost> {
  const redirected = new Set<string>();
  const find = (path: string): string | undefined => {
    if (!`/${path}`.startsWith(base)) return undefined;
    const below = path.slice(base.length - 1);
    if (added.has(below)) return below;
    if (below === "" || below.endsWith("/")) return existing(join(dist, below, "index.html"));
    const found = existing(join(dist, below)) ?? existing(join(dist, `${below}.html`));
    if (found !== undefined) return found;
    const index = existing(join(dist, below, "index.html"));
    if (index !== undefined) redirected.add(`/${path}`);
    return index;
  };
  const read = (path: string): Uint8Array | undefined => {
    const file = find(path);
    if (file === undefined) return undefined;
    const page = added.get(file);
    return page === undefined ? readFileSync(file) : Buffer.from(page);
  };
  const settings = { delay: 0 };
  const host = await serveFiles(read, {
    type: (path) => TYPES[extname(find(path) ?? "")] ?? UNKNOWN,
    cacheControl: "max-age=600",
    async before(path) {
      if (settings.delay > 0 && /(?:^|\/)(?:treeline|pagefind)\//.test(path)) await wait(settings.delay);
    },
  });
  return {
    url: host.url,
    get requests() {
      return host.requests;
    },
    reset: () => host.reset(),
    close: () => host.close(),
    site: `${host.url.slice(0, -1)}${base}`,
    redirected,
    packed: (path) => gzipSync(read(path) ?? Buffer.from("")).length,
    get delay() {
      return settings.delay;
    },
    set delay(milliseconds) {
      settings.delay = milliseconds;
    },
  };
}

function existing(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : undefined;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
