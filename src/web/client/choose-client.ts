/** Which client answers a search box: what its attributes say, else what lies beside the script. */

import { loadEngineOf, openAtOnce } from "../load-engine.ts";
import { beginNow, keepSuccess, loadModule } from "../load-module.ts";
import type { SearchClient } from "./search-client.ts";
import { noAnswer } from "./search-client.ts";

/** Whether a Worker hands this script out, set when it is bundled: then a Worker answers where nothing else is said. */
declare const SERVED_BY_WORKER: boolean;

/** Address of what answers: what the attribute `src` says (null for none), else what lies beside the script. */
export function addressOfSource(src: string | null, script: string): string {
  const isAddress = src !== null && URL.canParse(src, document.baseURI);
  return (isAddress ? new URL(src, document.baseURI) : new URL(".", script)).href;
}

/**
 * A client for the attributes `src` and `mode` of an element; null for those that it has not. It is loaded when somebody is about to
 * type: pages whose readers never search do without. Whatever its first answer needs is asked for at once then.
 *
 * @param script Address of this script.
 * @param language Language of the page, as `lang` names it.
 */
export function chooseClient(
  src: string | null,
  mode: string | null,
  script: string,
  language: () => string,
): SearchClient {
  const address = addressOfSource(src, script);
  const isWorker = mode === null ? SERVED_BY_WORKER : mode !== "static";
  return loadLater(
    isWorker
      ? async () =>
          (await loadModule("./search-worker-client.js", () => import("./worker-client.ts"))).createWorkerClient(
            address,
          )
      : () => loadStaticClient(address.endsWith("/") ? address : `${address}/`, language()),
  );
}

/** The client of index files, which takes over the index that is opened while it is loaded. */
async function loadStaticClient(folder: string, language: string): Promise<SearchClient> {
  const open = beginNow(() => openAtOnce(folder, () => loadEngineOf(folder, { language })));
  const { createStaticClient } = await loadModule("./search-static-client.js", () => import("./static-client.ts"));
  return createStaticClient(folder, open);
}

/** A client that is loaded when it is first asked; where that fails, it is tried again. */
function loadLater(load: () => Promise<SearchClient>): SearchClient {
  const get = keepSuccess(() => load().catch(toNoAnswer));
  return {
    prepare: () =>
      get().then(
        (client) => client.prepare(),
        () => undefined,
      ),
    search: async (query, options) => (await get()).search(query, options),
    suggest: async (query, options) => (await get()).suggest(query, options),
  };
}

function toNoAnswer(cause: unknown): never {
  throw noAnswer("the module that asks cannot be loaded", cause);
}
