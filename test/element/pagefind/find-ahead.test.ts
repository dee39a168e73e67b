import { describe, expect, it } from "vitest";
import type { PagesFound, PagesRequest } from "../../../src/core/search/find-pages.ts";
import { findAhead } from "../../../src/element/pagefind/find-ahead.ts";

const request = (query: string): PagesRequest => ({
  ...{ query, filter: {}, added: {}, language: "", sort: undefined, withCounts: false, ranking: {}, typing: true },
});

/** A search that is answered when the test says so, and what was asked of it. */
function makeFinding(): {
  readonly asked: string[];
  readonly answer: (error?: Error) => void;
  readonly finding: ReturnType<typeof findAhead>;
} {
  const asked: string[] = [];
  const waiting: ((error?: Error) => void)[] = [];
  const finding = findAhead(({ query = "" }) => {
    asked.push(query);
    const found: PagesFound = { generation: query, pages: [], terms: [], unfiltered: 0, counts: undefined };
    return new Promise((resolve, reject) => {
      waiting.push((error) => (error === undefined ? resolve(found) : reject(error)));
    });
  });
  return { asked, finding, answer: (error) => waiting.shift()?.(error) };
}

describe("a search that is begun ahead", () => {
  it("answers the same request, once", async () => {
    const { asked, answer, finding } = makeFinding();
    const ahead = finding.preload(request("lamp"));
    await Promise.resolve();
    const found = finding.find(request("lamp"));
    answer();
    await ahead;
    expect((await found).generation).toBe("lamp");
    expect(asked).toEqual(["lamp"]);
    const again = finding.find(request("lamp"));
    answer();
    await again;
    expect(asked).toEqual(["lamp", "lamp"]);
  });

  it("is begun for the first and the latest of what was typed meanwhile", async () => {
    const { asked, answer, finding } = makeFinding();
    const all = [finding.preload(request("l"))];
    await Promise.resolve();
    for (const query of ["la", "lam", "lamp"]) all.push(finding.preload(request(query)));
    answer();
    await Promise.all(all.slice(0, 3));
    expect(asked).toEqual(["l", "lamp"]);
    answer();
    await Promise.all(all);
  });

  it("is not begun any more when the question itself is asked", async () => {
    const { asked, answer, finding } = makeFinding();
    const first = finding.preload(request("l"));
    await Promise.resolve();
    const second = finding.preload(request("la"));
    const found = finding.find(request("lamp"));
    for (let times = 0; times < 2; times++) answer();
    await Promise.all([first, second, found]);
    expect(asked).toEqual(["l", "lamp"]);
  });

  it("never rejects, and leaves it to the question to fail or not", async () => {
    const { asked, answer, finding } = makeFinding();
    const ahead = finding.preload(request("lamp"));
    await Promise.resolve();
    answer(new Error("offline"));
    await ahead;
    const found = finding.find(request("lamp"));
    await expect.poll(() => asked).toEqual(["lamp", "lamp"]);
    answer();
    expect((await found).generation).toBe("lamp");
  });
});
