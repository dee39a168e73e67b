/**
 * One request as its operator sees it: an id that callers can quote, and what was done and read for it.
 *
 * Nothing here holds a query, an address, a handle or a key. A record is filled while the request is answered and
 * becomes one line of the log (`request-log.ts`) and data points (`metrics.ts`).
 *
 * Pure: headers in, values out; random bytes come from web crypto.
 */
import { formatHex } from "../core/bytes/encodings.ts";
import { type Cost, type CostCounters, sumCosts } from "../core/index/cost.ts";
import type { HttpServices } from "./respond.ts";

/** Header of every answer that names its trace. */
export const TRACE_HEADER = "X-Trace-Id";

const TRACE_BYTES = 16;
/** W3C Trace Context, section 3.2: version, trace id, parent id, flags. Later versions may add more behind a dash. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
/** The first revision of MCP without a handshake. Revisions are dates, so they compare as texts. */
const FIRST_MODERN = "2026";

/** What came of a request or a call. */
export type Outcome = "answered" | "refused" | "failed";

/** A call of a tool, or what a route did, without arguments and texts. */
export interface ObservedCall {
  readonly tool: string;
  readonly outcome: Outcome;
  readonly cost: Cost;
  /** Estimated tokens of the answer. */
  readonly tokens: number;
}

/** What is known of a request so far. */
export interface RequestRecord {
  /** 32 hexadecimal digits. */
  readonly trace: string;
  readonly calls: readonly ObservedCall[];
  /** Note a call of a tool. */
  readonly observe: (call: ObservedCall) => void;
  /** Count what is read with these counters, once for each object. */
  readonly count: (counters: CostCounters) => void;
  /** Note the generation that answers. */
  readonly answerFrom: (generation: string) => void;
  /** Note the corpus that is asked, where it has a name and is there: names that callers make up are not noted. */
  readonly enterCorpus: (name: string) => void;
  /** Note the route that answers, where no pattern of an address says it. */
  readonly enterRoute: (pattern: string) => void;
  /** What was read in all, now. */
  readonly cost: () => Cost;
  /** Id of the generation that answered last, or `""`. */
  readonly generation: () => string;
  /** Name of the corpus that is asked, or `""`. */
  readonly corpus: () => string;
  /** The route that was noted, or `""`. */
  readonly route: () => string;
}

/** A line about a request. */
export interface RequestLine {
  readonly level: "info" | "warn";
  readonly trace: string;
  readonly method: string;
  /** Pattern of the route, `/documents/*`; `none` where there is no such route. */
  readonly route: string;
  /** Name of the corpus, where it is not the one at the root. */
  readonly corpus?: string;
  readonly status: number;
  readonly outcome: Outcome;
  /** `anonymous`, `key:NAME`, or `none` where the request was refused before it was asked who calls. */
  readonly caller: string;
  /** Bytes of the answer's body, where that is known. */
  readonly answerBytes?: number;
  /** Of MCP requests: the era of the protocol. */
  readonly era?: string;
  /** Of calls of tools: their names, and the tokens of their answers together. */
  readonly tool?: string;
  readonly tokens?: number;
  /** Of requests that came to the index: its generation. */
  readonly generation?: string;
  readonly waves: number;
  readonly reads: number;
  readonly bytesRead: number;
}

/** A record for a request with this `traceparent` header. */
export function openRecord(traceparent: string | null): RequestRecord {
  const calls: ObservedCall[] = [];
  const counters = new Set<CostCounters>();
  let generation = "";
  let corpus = "";
  let route = "";
  return {
    trace: readTraceId(traceparent) ?? makeTraceId(),
    calls,
    observe: (call) => calls.push(call),
    count: (one) => counters.add(one),
    answerFrom: (id) => {
      generation = id;
    },
    enterCorpus: (name) => {
      corpus = name;
    },
    enterRoute: (pattern) => {
      route = pattern;
    },
    cost: () => sumCosts([...counters]),
    generation: () => generation,
    corpus: () => corpus,
    route: () => route,
  };
}

/** The trace id in a `traceparent` header; undefined where there is none that is valid. */
export function readTraceId(traceparent: string | null): string | undefined {
  const [, id, more] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  // Version 00 has exactly four fields.
  return more !== undefined && traceparent?.startsWith("00") ? undefined : id;
}

/** The same way of reading, noted in a record. */
export function recordReads(record: RequestRecord, withReader: HttpServices["withReader"]): HttpServices["withReader"] {
  return (run, counters) => {
    record.count(counters);
    return withReader((reader) => {
      record.answerFrom(reader.index.generation.id);
      return run(reader);
    }, counters);
  };
}

/** Era of the protocol that a request to the MCP endpoint says it speaks. */
export function readEra(headers: Headers): "2025" | "2026" {
  return (headers.get("MCP-Protocol-Version") ?? "") >= FIRST_MODERN ? "2026" : "2025";
}

function makeTraceId(): string {
  return formatHex(crypto.getRandomValues(new Uint8Array(TRACE_BYTES)));
}
