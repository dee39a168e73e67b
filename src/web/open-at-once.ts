/**
 * Opens an index in the page with nothing in series: its pointer is asked for beside the engine, which finds it on its way.
 */
import { POINTER_FILE } from "../core/index/range-source.ts";
import type { SendRequest } from "./fetch-source.ts";
import type { EngineModule } from "./load-engine.ts";
import type { StaticIndex } from "./static-index.ts";

/**
 * The index in a folder, opened by the engine that `loadEngine` gives. Both are asked for before this returns.
 *
 * @param folder Address, with a slash at its end.
 * @param send How requests for index files are sent; `fetch` when absent.
 */
export async function openAtOnce(
  folder: string,
  loadEngine: () => Promise<EngineModule>,
  send: SendRequest = (url, init) => fetch(url, init),
): Promise<StaticIndex> {
  let pointer: Promise<Response> | undefined = send(folder + POINTER_FILE, { cache: "no-cache" });
  pointer.catch(() => undefined);
  const { openStaticIndex } = await loadEngine();
  return openStaticIndex(folder, {
    send: (url, init) => {
      const early = url === folder + POINTER_FILE ? pointer : undefined;
      if (early !== undefined) pointer = undefined;
      return early ?? send(url, init);
    },
  });
}
