/** What Pagefind's interface asks, with every credential: nobody gets a word of a collection that they may not see. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { GROUPED } from "../support/grouped-files.ts";
import { KEYS } from "./access-files.ts";
import { askAs } from "./ask-as.ts";
import { bearer, GOOD, groupsSeen, NONE, PRIVATE, PUBLIC, prepareCredentials } from "./credentials.ts";
import { withoutEcho } from "./without-echo.ts";

const ALL = { filter: {}, added: {}, language: "", withCounts: true, ranking: {}, typing: false };
/** Every key that some caller of this index has, and more. */
const GUESSED = ["0", "1", "2", "3", "4", "5"].flatMap((shard) =>
  ["0", "1", "2", "9"].map((page) => `${shard}.${page}`),
);

function addressOf(question: object): string {
  return `/pagefind/pages?ask=${encodeURIComponent(JSON.stringify(question))}`;
}

/** Questions about what a collection holds. */
function questionsAbout(word: string): readonly object[] {
  const low = word.toLowerCase();
  return [
    { count: { added: {}, language: "" } },
    { find: ALL },
    { find: { ...ALL, query: `install ${low}` } },
    { find: { ...ALL, query: low.slice(0, -1), typing: true } },
    { find: { ...ALL, query: `"${low} install"` } },
    { find: { ...ALL, filter: { type: `${low}-guide` } } },
    { find: { ...ALL, filter: { not: { [`${low}Team`]: "x" } } } },
    { find: { ...ALL, sort: { key: `${low}Team`, descending: true } } },
  ];
}

describe.each([
  ["a public deployment", PUBLIC, [NONE, ...GOOD]],
  ["a private deployment", PRIVATE, GOOD],
] as const)("%s", (_, settings, credentials) => {
  let generation = "";

  beforeAll(async () => {
    await prepareCredentials();
    // Who sees all goes first: what they leave in memory is there for all others.
    const response = await askAs(settings, addressOf({ find: ALL }), { headers: bearer(KEYS.all) });
    ({ generation } = (await response.json()) as { generation: string });
  });
  afterAll(() => vi.unstubAllGlobals());

  it.each(credentials)("shows a caller with $name no word of what they may not see", async (credential) => {
    const seen = groupsSeen(settings, credential);
    const hidden = GROUPED.filter((other) => !seen.includes(other.access)).map((other) => other.word.toLowerCase());
    const ask = async (question: object): Promise<Response> =>
      askAs(settings, addressOf(question), { headers: credential.headers() });
    const check = async (question: object, response: Response): Promise<string> => {
      const text = await response.text();
      const rest = withoutEcho(text, JSON.stringify(question).split(/[":,{}[\]\\ ]/));
      for (const one of hidden) expect(rest, `${JSON.stringify(question)}: ${text}`).not.toContain(one);
      return rest;
    };
    let met = "";
    for (const { word } of GROUPED) {
      for (const question of questionsAbout(word)) {
        const response = await ask(question);
        expect(response.status, JSON.stringify(question)).toBe(200);
        met += await check(question, response);
      }
    }
    const found = (await (await ask({ find: ALL })).json()) as { pages: { key: string }[] };
    const given = found.pages.map(({ key }) => key);
    // Shards are counted as this caller sees them: no number is left out for one that they do not.
    const shards = new Set(given.map((key) => key.split(".")[0]));
    expect([...shards].sort()).toEqual([...shards].map((__, at) => `${at}`));
    for (const key of new Set([...given, ...GUESSED])) {
      const question = { read: { generation, keys: [key], terms: [] } };
      const response = await ask(question);
      if (given.includes(key)) expect(response.status).toBe(200);
      met += await check(question, response);
    }
    for (const { word, access } of GROUPED) if (seen.includes(access)) expect(met).toContain(word.toLowerCase());
  });
});
