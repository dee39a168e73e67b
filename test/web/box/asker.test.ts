import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAsker } from "../../../src/web/box/asker.ts";
import type { Question } from "../../../src/web/box/question-state.ts";
import { type AskOptions, ClientError, type Found } from "../../../src/web/client/search-client.ts";

type Failure = Parameters<Parameters<typeof createAsker>[0]["onFailure"]>[0];

/** A question that reached the client, answered when the test says so. */
interface Asked {
  readonly query: string;
  readonly options: AskOptions;
  readonly answer: () => Promise<void>;
  readonly fail: (error: unknown) => Promise<void>;
}

const question = (query: string, changes: Partial<Question> = {}): Question => ({
  query,
  filters: {},
  collections: [],
  offset: 0,
  ...changes,
});

const found = (query: string): Found => ({
  query,
  total: 0,
  pages: [],
  facetCounts: {},
  corrections: [],
  missingWords: [],
  nextOffset: undefined,
});

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

function start() {
  const asked: Asked[] = [];
  const answers: string[] = [];
  const near: string[] = [];
  const failures: Failure[] = [];
  let slow = 0;
  const askClient =
    <T>(make: (query: string) => T) =>
    (query: string, options: AskOptions = {}): Promise<T> =>
      new Promise((resolve, reject) => {
        asked.push({
          query,
          options,
          answer: async () => {
            resolve(make(query));
            await settled();
          },
          fail: async (error) => {
            reject(error);
            await settled();
          },
        });
      });
  const asker = createAsker({
    search: askClient(found),
    suggest: askClient((query) => [
      { url: "/a", title: `near ${query}`, kind: "title" as const, documentId: "docs:a" },
    ]),
    onSlow: () => slow++,
    onFound: ({ query }) => answers.push(query),
    onNear: (titles) => near.push(...titles.map(({ title }) => title)),
    onFailure: (failure) => failures.push(failure),
  });
  return { asker, asked, answers, near, failures, slow: () => slow };
}

describe("createAsker", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("asks what stands for a tenth of a second, and nothing that is typed over", async () => {
    const { asker, asked } = start();
    for (const query of ["inst", "insta", "install"]) {
      asker.ask(question(query));
      await vi.advanceTimersByTimeAsync(60);
    }
    expect(asked).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(60);
    expect(asked.map(({ query }) => query)).toEqual(["install"]);
    expect(asked[0]?.options.typing).toBe(true);
  });

  it("waits longer for two letters", async () => {
    const { asker, asked } = start();
    asker.ask(question("in"));
    await vi.advanceTimersByTimeAsync(499);
    expect(asked).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveLength(1);
  });

  it("ends the question before, and never shows its answer", async () => {
    const { asker, asked, answers } = start();
    asker.ask(question("first"), true);
    asker.ask(question("second"), true);
    expect(asked[0]?.options.signal?.aborted).toBe(true);
    await asked[1]?.answer();
    await asked[0]?.answer();
    expect(answers).toEqual(["second"]);
  });

  it("says nothing about the failure of a question that was typed over", async () => {
    const { asker, asked, answers, failures } = start();
    asker.ask(question("first"), true);
    asker.ask(question("second"), true);
    await asked[0]?.fail(new ClientError("failed", "x"));
    expect(failures).toEqual([]);
    await asked[1]?.answer();
    expect(answers).toEqual(["second"]);
  });

  it("asks at once when somebody cannot wait, and once", async () => {
    const { asker, asked } = start();
    asker.ask(question("install"));
    asker.hurry();
    asker.hurry();
    await vi.advanceTimersByTimeAsync(500);
    expect(asked).toHaveLength(1);
  });

  it("tells after three seconds that it takes long, and goes on waiting", async () => {
    const { asker, asked, answers, slow } = start();
    asker.ask(question("install"), true);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(slow()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(slow()).toBe(1);
    await asked[0]?.answer();
    expect(answers).toEqual(["install"]);
  });

  it("tells nothing of questions that were answered or stopped", async () => {
    const { asker, asked, answers, slow } = start();
    asker.ask(question("install"), true);
    await asked[0]?.answer();
    asker.ask(question("other"), true);
    asker.stop();
    await asked[1]?.answer();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([answers, slow()]).toEqual([["install"], 0]);
  });

  it("says why there is no answer, and how long a server wants to be left alone", async () => {
    const { asker, asked, failures } = start();
    const errors = [
      new ClientError("too-many", "x", { retryAfter: 9_000 }),
      new ClientError("too-many", "x"),
      new ClientError("unreachable", "x"),
      new TypeError("not a client's"),
    ];
    for (const [at, error] of errors.entries()) {
      asker.ask(question("install"), true);
      await asked[at]?.fail(error);
    }
    expect(failures).toEqual([
      { problem: "too-many", retryAfter: 9_000 },
      { problem: "too-many", retryAfter: undefined },
      { problem: "unreachable", retryAfter: undefined },
      { problem: "failed", retryAfter: undefined },
    ]);
  });

  it("asks briefly first, and for the whole of it when the text has stood for half a second more", async () => {
    const { asker, asked, answers } = start();
    asker.ask(question("install"));
    await vi.advanceTimersByTimeAsync(100);
    await asked[0]?.answer();
    asker.askWhole(question("install"));
    await vi.advanceTimersByTimeAsync(499);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await asked[1]?.answer();
    expect(asked.map(({ options }) => options.brief)).toEqual([true, false]);
    expect(answers).toEqual(["install", "install"]);
  });

  it("does not ask briefly for what nobody types", () => {
    const { asker, asked } = start();
    asker.ask(question("install", { filters: { type: ["guide"] } }), true);
    expect(asked[0]?.options.brief).toBe(false);
  });

  it("asks for titles that come near when the text has stood for half a second more, and ends that, too", async () => {
    const { asker, asked, near, failures } = start();
    const nothing = question("qqq", { collections: ["docs"] });
    asker.askNear(nothing);
    await vi.advanceTimersByTimeAsync(499);
    expect(asked).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked[0]).toMatchObject({ query: "qqq", options: { collections: ["docs"], limit: 5 } });
    await asked[0]?.answer();
    asker.askNear(nothing);
    await vi.advanceTimersByTimeAsync(500);
    asker.stop();
    expect(asked[1]?.options.signal?.aborted).toBe(true);
    await asked[1]?.answer();
    expect(near).toEqual(["near qqq"]);
    asker.askNear(nothing);
    await vi.advanceTimersByTimeAsync(500);
    await asked[2]?.fail(new ClientError("too-many", "x", { retryAfter: 9 }));
    expect(failures).toEqual([{ problem: "too-many", retryAfter: 9 }]);
  });

  it("does not ask for the whole of what is typed over", async () => {
    const { asker, asked } = start();
    asker.askWhole(question("inst"));
    await vi.advanceTimersByTimeAsync(450);
    asker.ask(question("insta"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked.map(({ query }) => query)).toEqual(["insta"]);
  });

  it("asks for more pages at a time when somebody asks for more", () => {
    const { asker, asked } = start();
    asker.ask(question("install", { filters: { type: ["guide"] }, collections: ["docs"] }), true);
    asker.ask(question("install", { offset: 6 }), true);
    expect(asked[0]?.options).toMatchObject({ filters: { type: ["guide"] }, collections: ["docs"] });
    expect(asked[0]?.options.limit).toBeUndefined();
    expect(asked[1]?.options).toMatchObject({ offset: 6, limit: 10 });
  });
});
