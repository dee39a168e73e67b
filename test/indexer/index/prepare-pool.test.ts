import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { type CollectionConfig, defaultConfig } from "../../../indexer/config/config.ts";
import { prepareDocuments } from "../../../indexer/index/load-documents.ts";
import { type PrepareTask, prepareDocument } from "../../../indexer/index/prepare-document.ts";
import type { PackedResult } from "../../../indexer/index/prepare-worker.ts";
import { decodeBody, decodeCandidates, openCard } from "../../../indexer/index/prepared-document.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

const { collections, limits } = defaultConfig();
const COUNT = 220;
const PLACE = { number: 0, collection: 0 };

/** Skips what it is sent, as soon as the main thread looks. */
class PromptThread extends EventEmitter {
  readonly #asked: number[];

  constructor(asked: number[]) {
    super();
    this.#asked = asked;
  }

  postMessage(tasks: readonly PrepareTask[]): void {
    this.#asked.push(tasks.length);
    const results = tasks.map(({ path }) => ({ ok: false, skipped: { path, reason: "failed", message: "" } }) as const);
    setImmediate(() => this.emit("message", results));
  }

  async terminate(): Promise<number> {
    return 0;
  }
}

async function prepareFolder(threads: number, missing: readonly number[] = []) {
  const names = Array.from({ length: COUNT }, (_, n) => `page-${n}.md`);
  const files = Object.fromEntries(
    names.filter((_, n) => !missing.includes(n)).map((name, n) => [name, `# ${name}\n\n${"word ".repeat(n * 10)}\n`]),
  );
  const dir = await makeFolder(files);
  const tasks = names.map((path, number): PrepareTask => ({ number, collection: 0, path }));
  const steps: number[] = [];
  const prepared: PackedResult[] = [];
  const times = new Uint8Array(COUNT);
  await prepareDocuments(
    tasks,
    { collections, roots: [dir], limits },
    (at, result) => {
      prepared[at] = result;
      times[at] = (times[at] ?? 0) + 1;
    },
    (done) => steps.push(done),
    { threads },
  );
  expect(Array.from(times)).toEqual(Array(COUNT).fill(1));
  return { prepared, steps };
}

describe("prepareDocuments", () => {
  it("gives the same whether it works alone or in threads, each result once with the index of its task", async () => {
    const alone = await prepareFolder(0);
    expect(alone.prepared.map((result) => result.ok && openCard(result.document.card, PLACE).path)).toEqual(
      Array.from({ length: COUNT }, (_, n) => `page-${n}.md`),
    );
    for (const threads of [1, 3]) {
      const { prepared, steps } = await prepareFolder(threads);
      expect(plain(prepared)).toEqual(plain(alone.prepared));
      expect(steps.at(-1)).toBe(COUNT);
    }
  });

  it("reports files that cannot be read any more, alone and in threads, and goes on with the others", async () => {
    for (const threads of [0, 1]) {
      const { prepared } = await prepareFolder(threads, [3, 69]);
      const skipped = prepared.flatMap((result) => (result.ok ? [] : [result.skipped]));
      expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
        ["page-3.md", "unreadable"],
        ["page-69.md", "unreadable"],
      ]);
      expect(prepared.filter(({ ok }) => ok)).toHaveLength(COUNT - 2);
    }
  });

  it("hears of threads while the main one works", async () => {
    const names = Array.from({ length: COUNT }, (_, n) => `page-${n}.md`);
    const dir = await makeFolder(Object.fromEntries(names.map((name) => [name, `# ${name}\n`])));
    const asked: number[] = [];
    await prepareDocuments(
      names.map((path, number) => ({ number, collection: 0, path })),
      { collections, roots: [dir], limits },
      () => undefined,
      () => undefined,
      { threads: 1, startThread: () => new PromptThread(asked) as never },
    );
    expect(asked.slice(0, 2)).toEqual([96, 96]);
  });

  it("is done at once with nothing", async () => {
    const results: PackedResult[] = [];
    const steps: number[] = [];
    const setup = { collections, roots: [], limits };
    await prepareDocuments(
      [],
      setup,
      (_, result) => results.push(result),
      (done) => steps.push(done),
    );
    expect([results, steps]).toEqual([[], []]);
  });
});

describe("prepareDocument", () => {
  it("passes on why a file was skipped", async () => {
    const [config] = collections as [CollectionConfig];
    const skipped = { path: "a.md", reason: "binary", message: "holds NUL bytes" } as const;
    expect(
      await prepareDocument({ number: 0, collection: 0, path: "a.md" }, config, { ok: false, skipped }, new Map()),
    ).toEqual({
      ok: false,
      skipped,
    });
  });
});

/** Results with their parts as they are read: numbers have several forms as bytes. */
function plain(prepared: readonly PackedResult[]): unknown {
  const read = prepared.map((result) => {
    if (!result.ok) return result;
    const { card, body, candidates, code } = result.document;
    const parts = { card: openCard(card, PLACE), body: decodeBody(body), candidates: decodeCandidates(candidates) };
    return { ...parts, code };
  });
  return JSON.parse(
    JSON.stringify(read, (_, value: unknown) => (ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value)),
  );
}
