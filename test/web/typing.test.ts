import { describe, expect, it } from "vitest";
import { openStaticIndex } from "../../src/web/static-index.ts";
import { searchAsTyped } from "../../src/web/typing.ts";
import { buildPages } from "../support/build-index.ts";
import { serveFiles } from "../support/static-host.ts";

const PAGES = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => [`${at}.md`, `# Installing ${at}\n\nInstall instruments of kind ${at}.\n`]),
);

/** A clock that moves when the test says so. */
function makeClock(): { wait: (milliseconds: number) => Promise<void>; pass: (milliseconds: number) => Promise<void> } {
  let now = 0;
  let timers: { at: number; ring: () => void }[] = [];
  return {
    wait: (milliseconds) => new Promise((ring) => timers.push({ at: now + milliseconds, ring })),
    async pass(milliseconds) {
      now += milliseconds;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { ring } of due) ring();
      await new Promise((resolve) => setTimeout(resolve));
    },
  };
}

describe("searchAsTyped", () => {
  it("answers a text that stands, and none that is typed over before", async () => {
    const { wait, pass } = makeClock();
    const asked: string[] = [];
    const answer = { hits: [] } as never;
    const search = async (query: string) => {
      asked.push(query);
      return answer;
    };
    const type = searchAsTyped({ search }, { settleMs: 100, wait });
    const given = [type("inst")];
    await pass(99);
    given.push(type("insta"), type("instal"));
    await pass(100);
    expect(await Promise.all(given)).toEqual([undefined, undefined, answer]);
    expect(asked).toEqual(["instal"]);
  });

  it("lets one or two letters stand longer, but no character that is a word", async () => {
    const { wait, pass } = makeClock();
    const asked: string[] = [];
    const type = searchAsTyped({ search: async (query) => asked.push(query) as never }, { settleMs: 100, wait });
    const short = type("go");
    await pass(499);
    expect(asked).toEqual([]);
    await pass(1);
    await short;
    const word = type("安装");
    await pass(100);
    await word;
    expect(asked).toEqual(["go", "安装"]);
  });

  it("asks nothing for an empty text, which ends what is under way", async () => {
    const { wait, pass } = makeClock();
    const signals: AbortSignal[] = [];
    const search = (_: string, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<never> =>
      new Promise((_resolve, reject) => {
        signals.push(signal as AbortSignal);
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    const type = searchAsTyped({ search }, { settleMs: 100, wait });
    const first = type("install");
    await pass(100);
    expect(signals[0]?.aborted).toBe(false);
    const cleared = type("  ");
    await pass(500);
    expect(await Promise.all([first, cleared])).toEqual([undefined, undefined]);
    expect(signals[0]?.aborted).toBe(true);
    expect(signals).toHaveLength(1);
  });

  it("passes on what goes wrong with the text that stands", async () => {
    const search = async (): Promise<never> => {
      throw new Error("no host");
    };
    const type = searchAsTyped({ search }, { settleMs: 0, wait: async () => undefined });
    await expect(type("install")).rejects.toThrow("no host");
  });

  it("reads a word that is typed letter by letter in few bytes, each answer that of the whole text", async () => {
    const { files } = await buildPages(PAGES);
    const host = await serveFiles((path) => files.get(path));
    try {
      const page = await openStaticIndex(host.url);
      const type = searchAsTyped(page, { settleMs: 0 });
      host.reset();
      for (let letters = 3; letters <= "install".length; letters++) {
        const answer = await type("install".slice(0, letters));
        expect(answer?.hits).toHaveLength(4);
      }
      expect(host.requests.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(30_000);
    } finally {
      await host.close();
    }
  });
});
