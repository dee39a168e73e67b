import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type InsightEntry, InsightWriter } from "../../src/surface/insights.ts";

function makeRequest(headers: Record<string, string> = {}) {
  const work: Promise<void>[] = [];
  const request = { headers: new Headers(headers), caller: "key:docs", now: Date.now() };
  return { ...request, waitUntil: (one: Promise<void>) => void work.push(one), work };
}

function makeSink(fails = false) {
  const sent: (readonly InsightEntry[])[] = [];
  const reported: unknown[] = [];
  const count = async (entries: readonly InsightEntry[]): Promise<void> => {
    if (fails) throw new Error("the object is away");
    sent.push(entries);
  };
  return { sent, reported, count, report: (error: unknown) => void reported.push(error) };
}

describe("InsightWriter", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("sends the questions of several requests at once, after the first of them is answered", async () => {
    const writer = new InsightWriter();
    const [first, second, sink] = [makeRequest(), makeRequest(), makeSink()];
    writer.add("How to Install", "nothing", first, sink);
    writer.add("zebra", "corrected", second, sink);
    expect(sink.sent).toEqual([]);
    expect(second.work).toEqual([]);
    await vi.runAllTimersAsync();
    await Promise.all(first.work);
    expect(sink.sent).toEqual([
      [
        { query: "how to install", kind: "nothing", caller: "key:docs" },
        { query: "zebra", kind: "corrected", caller: "key:docs" },
      ],
    ]);
    const third = makeRequest();
    writer.add("again", "nothing", third, sink);
    await vi.runAllTimersAsync();
    expect(sink.sent[1]).toMatchObject([{ query: "again" }]);
  });

  it.each([{ DNT: "1" }, { "Sec-GPC": "1" }])("takes nothing of callers who send %j", async (headers) => {
    const [request, sink] = [makeRequest(headers as Record<string, string>), makeSink()];
    new InsightWriter().add("install", "nothing", request, sink);
    await vi.runAllTimersAsync();
    expect([request.work, sink.sent]).toEqual([[], []]);
  });

  it("drops what may be private", async () => {
    const [request, sink] = [makeRequest(), makeSink()];
    new InsightWriter().add("jane@example.com", "nothing", request, sink);
    expect(request.work).toEqual([]);
  });

  it("tells the operator, and nobody else, when the object fails", async () => {
    const [request, sink] = [makeRequest(), makeSink(true)];
    new InsightWriter().add("install", "nothing", request, sink);
    await vi.runAllTimersAsync();
    await Promise.all(request.work);
    expect(sink.reported).toEqual([new Error("the object is away")]);
  });

  it("waits anew when the request that waited was ended", async () => {
    const writer = new InsightWriter();
    const [lost, next, sink] = [makeRequest(), makeRequest(), makeSink()];
    writer.add("one", "nothing", lost, sink);
    vi.clearAllTimers();
    vi.advanceTimersByTime(60_000);
    writer.add("two", "nothing", { ...next, now: Date.now() }, sink);
    await vi.runAllTimersAsync();
    expect(sink.sent[0]).toMatchObject([{ query: "one" }, { query: "two" }]);
  });
});
