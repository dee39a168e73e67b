/** Services of routes over an index in memory, for tests that need no Worker. */
import type { PageServices } from "../../src/http/explorer/answer-page.ts";
import { EXPLORER_FILES } from "../../src/http/page-files.ts";
import type { HttpServices } from "../../src/http/respond.ts";
import type { OpenReader } from "./build-index.ts";

/** Address of the server. */
export const BASE = "https://server.example";

/** Services as everybody gets them. */
export function servicesOf({ reader }: Pick<OpenReader, "reader">): HttpServices {
  return {
    withReader: async (run) => ({ value: await run(reader) }),
    base: BASE,
    isShared: true,
    now: 0,
    report: (problem, where) => {
      if (problem.kind !== "bad-input") throw new Error(`${where}: ${JSON.stringify(problem)}`);
    },
  };
}

/** Services of pages as everybody gets them, of the corpus at the root. */
export function pageServicesOf(opened: Pick<OpenReader, "reader">): PageServices {
  return {
    ...servicesOf(opened),
    ...{ corpus: "", caller: { isAdmin: false }, needsKey: false, shownPaths: [] },
    nameFiles: async () => EXPLORER_FILES,
    listCorpora: async () => undefined,
    readInsights: async () => {
      throw new Error("nobody asks for insights here");
    },
  };
}
