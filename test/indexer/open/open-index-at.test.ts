import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { evalCommand } from "../../../indexer/cli/commands/eval.ts";
import { searchCommands } from "../../../indexer/cli/commands/search.ts";
import { statusCommands } from "../../../indexer/cli/commands/status.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { buildPages } from "../../support/build-index.ts";
import { runCommands } from "../../support/list-command.ts";
import { type HostHabits, type StaticHost, serveFiles } from "../../support/static-host.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

const PAGES = { "lamp.md": "# Lamp\n\nA brass lamp.\n", "rope.md": "# Rope\n\nA rope, a lamp.\n" };

async function run(...words: readonly string[]) {
  return runCommands([evalCommand, searchCommands.search, statusCommands.status], words);
}

describe("an index at a web address", () => {
  const hosts: StaticHost[] = [];

  async function serve(files: ReadonlyMap<string, Uint8Array>, habits: HostHabits = {}): Promise<string> {
    const host = await serveFiles((path) => files.get(path.slice("docs/index/".length)), habits);
    hosts.push(host);
    return `${host.url}docs/index`;
  }

  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.close();
  });

  it("is searched, described and measured as the same files in a folder are", async () => {
    const { files } = await buildPages(PAGES);
    const dir = await makeFolder(Object.fromEntries(files));
    const queries = join(dir, "queries.jsonl");
    const qrels = join(dir, "qrels.tsv");
    await writeFile(queries, '{"id": "q1", "text": "brass lamp"}\n');
    await writeFile(qrels, "q1\tlamp.md\t1\n");
    const url = await serve(files);
    for (const words of [["search", "brass lamp"], ["status"], ["eval", queries, qrels]]) {
      const [onDisk, onWeb] = [await run(...words, "--index", dir), await run(...words, "--index", url)];
      expect(onWeb.code, onWeb.err).toBe(0);
      // How long it took differs, and a file has a time where its pages have none.
      const same = (out: string): string => out.replace(/latency.*|[\d.]+ ms.*| of \d{4}-.*|built at .*\n/g, "");
      expect(same(onWeb.out)).toBe(same(onDisk.out));
    }
    const pointer = files.get(POINTER_FILE)?.length ?? 0;
    const bytesOf = (err: string): number => Number(/(\d+) bytes/.exec(err)?.[1]);
    const onWeb = bytesOf((await run("search", "lamp", "--explain", "--index", url)).err);
    expect(onWeb - bytesOf((await run("search", "lamp", "--explain", "--index", dir)).err)).toBe(pointer);
  });

  it("is refused in words where there is none, or the host cannot serve it", async () => {
    const { files } = await buildPages(PAGES);
    const large = new Map([...files].map(([name, bytes]) => [name, pad(name, bytes)]));
    for (const [url, words] of [
      [await serve(new Map()), "there is no index at http://127.0.0.1"],
      [await serve(new Map(), { fallback: "<!doctype html><title>Docs</title>" }), "is a web page"],
      [await serve(new Map([[POINTER_FILE, Buffer.from("an other file")]])), "is no pointer"],
      [await serve(large, { ranges: false }), "it needs byte ranges"],
      ["http://127.0.0.1:9/index", "cannot be read"],
      ["https://", "cannot be read"],
    ] as const) {
      const { code, err } = await run("search", "lamp", "--explain", "--index", url);
      expect(code).toBe(1);
      expect(err).toContain(words);
      expect(err.split("\n")).toHaveLength(1);
    }
  });
});

/** A pack that is too large to be loaded whole. */
function pad(name: string, bytes: Uint8Array): Uint8Array {
  if (!name.endsWith(".pack")) return bytes;
  const padded = new Uint8Array(3 * 1024 * 1024);
  padded.set(bytes);
  return padded;
}
