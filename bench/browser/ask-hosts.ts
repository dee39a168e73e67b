/**
 * What `prove-hosts.ts` runs inside the browser. The function is sent as text, so it uses nothing but its parameters
 * and what every page has.
 */
import type { openStaticIndex } from "../../src/web/static-index.ts";
import type { searchAsTyped } from "../../src/web/typing.ts";

/** What reading for an answer cost. */
export interface Cost {
  readonly waves: number;
  readonly reads: number;
  readonly bytes: number;
}

/** An answer, as far as the proof looks into it. */
export interface Answer {
  readonly cost: Cost;
  readonly corrections: readonly unknown[];
  readonly interpretation?: unknown;
}

/** What to do in the page. */
export interface Plan {
  readonly queries: readonly string[];
  readonly limit: number;
  /** Typed letter by letter. */
  readonly word: string;
  readonly keyMs: number;
  /** First searches, each of an index opened anew. */
  readonly coldSearches: number;
  /** Addresses of hosts by name. */
  readonly hosts: Readonly<Record<string, string>>;
}

/** What the page gives back. */
export interface Report {
  /** By host: answers in the order of the queries, or the problem that the host was refused for. */
  readonly hosts: Readonly<Record<string, readonly Answer[] | string>>;
  readonly cold: readonly Answer[];
  /** Bytes of all answers that typing read, and how many keys got an answer. */
  readonly typed: { readonly bytes: number; readonly answers: number };
}

interface Engine {
  readonly openStaticIndex: typeof openStaticIndex;
  readonly searchAsTyped: typeof searchAsTyped;
}

/** Do the plan. @param page Address of the page. */
export async function askInPage(engine: Engine, page: string, plan: Plan): Promise<Report> {
  const own = new URL("index/", page).href;
  const { queries, limit, word, keyMs, coldSearches } = plan;
  const hosts: Record<string, readonly Answer[] | string> = {};
  for (const [name, url] of [["own origin", own], ...Object.entries(plan.hosts)] as [string, string][]) {
    try {
      const index = await engine.openStaticIndex(url);
      const answers: Answer[] = [];
      for (const query of queries) answers.push(await index.search(query, { limit }));
      hosts[name] = answers;
    } catch (error) {
      hosts[name] = (error as { problem?: string }).problem ?? String(error);
    }
  }
  const cold: Answer[] = [];
  for (const query of queries.slice(0, coldSearches)) {
    cold.push(await (await engine.openStaticIndex(own)).search(query, { limit }));
  }
  let bytes = 0;
  const index = await engine.openStaticIndex(own, {
    send: async (url, init) => {
      const response = await fetch(url, init);
      bytes += (await response.clone().arrayBuffer()).byteLength;
      return response;
    },
  });
  // What every query needs is there when somebody begins to type.
  await index.search(queries[0] ?? "", { limit });
  bytes = 0;
  const type = engine.searchAsTyped(index);
  const given: Promise<unknown>[] = [];
  for (let letters = 1; letters <= word.length; letters++) {
    given.push(type(word.slice(0, letters)));
    await new Promise((resolve) => setTimeout(resolve, keyMs));
  }
  const answers = (await Promise.all(given)).filter((answer) => answer !== undefined).length;
  return { hosts, cold, typed: { bytes, answers } };
}
