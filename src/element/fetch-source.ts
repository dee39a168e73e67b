/**
 * Index files on any web host that serves byte ranges, as the core reads them.
 */
import { FormatError, StaleGenerationError } from "../core/errors.ts";
import { POINTER_FILE, type PointerObject, type RangeSource } from "../core/index/range-source.ts";

const NOT_FOUND = 404;
const GONE = 410;
const NOT_MODIFIED = 304;
const PARTIAL = 206;
const RANGE_REFUSED = 416;

/**
 * A range source over a folder of index files.
 *
 * @param baseUrl Address of the folder, with or without `/` at the end.
 * @param send How to send a request; `fetch` unless a test says otherwise.
 */
export function createFetchSource(
  baseUrl: string,
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): RangeSource {
  const folder = baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`;
  const read = async (file: string, offset: number, length: number, init: RequestInit): Promise<Uint8Array> => {
    if (length === 0) return new Uint8Array(0);
    const headers = { range: `bytes=${offset}-${offset + length - 1}` };
    const response = await send(`${folder}${file}`, { ...init, headers });
    if (response.status === NOT_FOUND || response.status === GONE) throw new StaleGenerationError(file);
    if (response.status === RANGE_REFUSED) throw new FormatError(file, { code: "truncated", need: length, have: 0 });
    expectOk(response, file);
    const body = new Uint8Array(await response.arrayBuffer());
    // A host that knows no ranges answers with the whole file.
    const bytes = response.status === PARTIAL ? body : body.subarray(offset, offset + length);
    if (bytes.length < length) throw new FormatError(file, { code: "truncated", need: length, have: bytes.length });
    return bytes;
  };
  return {
    readRange: (file, offset, length) => read(file, offset, length, {}),
    readFresh: (file, offset, length) => read(file, offset, length, { cache: "reload" }),
    async readPointer(knownEtag): Promise<PointerObject | "unchanged" | undefined> {
      const headers: Record<string, string> = knownEtag === undefined ? {} : { "if-none-match": knownEtag };
      const response = await send(`${folder}${POINTER_FILE}`, { headers, cache: "no-cache" });
      if (response.status === NOT_MODIFIED) return "unchanged";
      if (response.status === NOT_FOUND || response.status === GONE) return undefined;
      expectOk(response, POINTER_FILE);
      const etag = response.headers.get("etag") ?? "";
      if (etag !== "" && etag === knownEtag) return "unchanged";
      const stored = Date.parse(response.headers.get("last-modified") ?? "");
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { bytes, etag, ...(Number.isNaN(stored) ? {} : { modifiedAt: new Date(stored).toISOString() }) };
    },
  };
}

function expectOk(response: Response, file: string): void {
  if (!response.ok) throw new Error(`${file}: the host answered ${response.status}`);
}
