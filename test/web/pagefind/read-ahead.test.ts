import { describe, expect, it } from "vitest";
import type { PagesFound, PagesRequest } from "../../../src/core/search/find-pages.ts";
import { readAhead } from "../../../src/web/pagefind/make-pagefind.ts";

const request = (query: string): PagesRequest => ({
  ...{ query, filter: {}, added: {}, language: "", sort: undefined, withCounts: false, ranking: {}, typing: true },
});

/** Reads that end when the test says so, a search that is answered at once, and what was asked of both. */
function makeReading(): {
  readonly asked: string[];
  readonly end: (error?: Error) => void;
  readonly reading: ReturnType<typeof readAhead>;
} {
  const asked: string[] = [];
  const waiting: ((error?: Error) => void)[] = [];
  const reading = readAhead(
    async ({ query = "" }): Promise<PagesFound> => {
      asked.push(`find ${query}`);
      return { generation: query, pages: [], terms: [], unfiltered: 0, counts: undefined };
    },
    ({ query = "" }) => {
      asked.push(`read ${query}`);
      return new Promise((resolve, reject) => {
        waiting.push((error) => (error === undefined ? resolve() : reject(error)));
      });
    },
  );
  return { asked, reading, end: (error) => waiting.shift()?.(error) };
}

/** Lets everything go on that waits for nothing but promises. */
const settle = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

describe("what is read ahead", () => {
  it("is waited for by the same request, which then asks", async () => {
    const { asked, end, reading } = makeReading();
    const ahead = reading.preload(request("lamp"));
    await settle();
    const found = reading.find(request("lamp"));
    await settle();
    expect(asked).toEqual(["read lamp"]);
    end();
    await ahead;
    expect((await found).generation).toBe("lamp");
    expect(asked).toEqual(["read lamp", "find lamp"]);
  });

  it("holds up no other request", async () => {
    const { asked, reading } = makeReading();
    void reading.preload(request("lamp"));
    await settle();
    expect((await reading.find(request("lantern"))).generation).toBe("lantern");
    expect(asked).toEqual(["read lamp", "find lantern"]);
  });

  it("is what was typed first, and the latest of what was typed meanwhile", async () => {
    const { asked, end, reading } = makeReading();
    const all = [reading.preload(request("l"))];
    await settle();
    for (const query of ["la", "lam", "lamp"]) all.push(reading.preload(request(query)));
    end();
    await Promise.all(all.slice(0, 3));
    expect(asked).toEqual(["read l", "read lamp"]);
    end();
    await Promise.all(all);
  });

  it("is no longer read when the question itself is asked", async () => {
    const { asked, end, reading } = makeReading();
    const first = reading.preload(request("l"));
    await settle();
    const second = reading.preload(request("la"));
    await reading.find(request("lamp"));
    end();
    await Promise.all([first, second]);
    expect(asked).toEqual(["read l", "find lamp"]);
  });

  it("never rejects, and leaves it to the question to fail or not", async () => {
    const { asked, end, reading } = makeReading();
    const ahead = reading.preload(request("lamp"));
    await settle();
    end(new Error("offline"));
    await ahead;
    await reading.find(request("lamp"));
    expect(asked).toEqual(["read lamp", "find lamp"]);
  });
});
