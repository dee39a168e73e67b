/** Treeline's box beside Pagefind's, the same queries in turn in one run: a table, and whether the bars are held. */
import type { Browser } from "playwright-core";
import { percentileOf } from "../../indexer/cli/commands/eval.ts";
import { makeTable, showBytes } from "../tables.ts";
import { type TypedBox, type TypedCost, type TypedQuery, typeLetters, typeQuery } from "./type-queries.ts";

/** How long the host waits before each answer. */
const DELAY_MS = 100;
/** Between two keys of somebody who types fast, and of somebody who types so slowly that every letter from the third on has its answer. */
const KEYS_MS = [150, 450] as const;
const WORD = "configuration";
/** Of Treeline: rounds before the first result, those for code among them, and bytes of a word typed letter by letter. */
const MOST_ROUNDS = { cold: 3, warm: 2, next: 3 } as const;
const MOST_TYPED_BYTES = 30_000;
const STATES = { cold: "first page", warm: "again", next: "next page of the site" } as const;

/** Type queries into both and print what it cost. True where the bars are held. */
export async function compareBoxes(
  browser: Browser,
  boxes: readonly [TypedBox, TypedBox],
  queries: readonly string[],
): Promise<boolean> {
  const costs = new Map<TypedBox, TypedQuery[]>(boxes.map((box) => [box, []]));
  for (const [at, query] of queries.entries()) {
    const other = queries[(at + 1) % queries.length] ?? "";
    const next = queries[(at + 2) % queries.length] ?? "";
    // Each is the first one in turn.
    for (const box of at % 2 === 0 ? boxes : boxes.toReversed()) {
      costs.get(box)?.push(await typeQuery(browser, box, { query, other, next }, DELAY_MS));
    }
  }
  const typed = new Map<TypedBox, TypedCost[]>(boxes.map((box) => [box, []]));
  for (const keyMs of KEYS_MS) {
    for (const box of boxes) {
      const other = queries[0] ?? "";
      typed.get(box)?.push(await typeLetters(browser, box, WORD, { keyMs, delayMs: DELAY_MS, other }));
    }
  }
  const [own] = boxes;
  const median = (box: TypedBox, state: keyof typeof STATES, member: keyof TypedCost): number =>
    percentileOf(
      (costs.get(box) ?? []).map((cost) => cost[state][member]),
      0.5,
    );
  const rows = (["cold", "warm", "next"] as const).flatMap((state) => {
    const row = (name: string, show: (box: TypedBox) => string): string[] => [
      `${STATES[state]}: ${name}`,
      ...boxes.map(show),
    ];
    return [
      row("first result painted", (box) => `${Math.round(median(box, state, "milliseconds"))} ms`),
      row(
        "rounds before it, of them for index files",
        (box) => `${median(box, state, "rounds")}, ${median(box, state, "indexRounds")}`,
      ),
      row("requests", (box) => `${median(box, state, "requests")}`),
      row("bytes of the index", (box) => showBytes(median(box, state, "indexBytes"))),
      row("bytes of code", (box) => showBytes(median(box, state, "codeBytes"))),
    ];
  });
  const letters = KEYS_MS.map((keyMs, at) => [
    `"${WORD}" letter by letter, ${keyMs} ms a key: bytes of the index`,
    ...boxes.map((box) => showBytes(typed.get(box)?.[at]?.indexBytes)),
  ]);
  const header = [`median of ${queries.length} queries, ${DELAY_MS} ms a request`, ...boxes.map(({ name }) => name)];
  console.log(makeTable(header, [...rows, ...letters]));
  const isFew = (["cold", "warm", "next"] as const).every(
    (state) => median(own, state, "rounds") <= MOST_ROUNDS[state],
  );
  const isSmall = typed.get(own)?.every(({ indexBytes }) => indexBytes <= MOST_TYPED_BYTES) === true;
  console.log(
    `${isFew ? "ok " : "BAD"} rounds before the first result, code counted: at most ${MOST_ROUNDS.cold} cold, ${MOST_ROUNDS.warm} warm, ${MOST_ROUNDS.next} on the next page`,
  );
  console.log(`${isSmall ? "ok " : "BAD"} a word typed letter by letter: at most ${MOST_TYPED_BYTES} bytes`);
  return isFew && isSmall;
}
