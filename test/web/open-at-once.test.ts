import { expect, it, onTestFinished } from "vitest";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { openAtOnce } from "../../src/web/load-engine.ts";
import { openStaticIndex } from "../../src/web/static-index.ts";
import { buildCollections } from "../support/build-index.ts";
import { serveFiles } from "../support/static-host.ts";

it("asks for the pointer and the engine before anything has come, once each", async () => {
  const { files } = await buildCollections([{ name: "docs", pages: { "a.md": "# Install" } }]);
  const host = await serveFiles((path) => files.get(path));
  onTestFinished(() => host.close());
  const asked: string[] = [];
  const opening = openAtOnce(
    host.url,
    async () => {
      asked.push("engine");
      return { openStaticIndex };
    },
    (url, init) => {
      asked.push(url.slice(host.url.length));
      return fetch(url, init);
    },
  );
  // In the same turn: neither waits for the other.
  expect(asked).toEqual([POINTER_FILE, "engine"]);
  expect((await (await opening).search("install")).totalDocuments).toBe(1);
  expect(asked.filter((name) => name === POINTER_FILE)).toHaveLength(1);
});

it("rejects with why the engine is not there, whatever becomes of the pointer", async () => {
  const opening = openAtOnce(
    "https://docs.example.org/",
    () => Promise.reject(new Error("no engine")),
    () => Promise.reject(new Error("no pointer")),
  );
  await expect(opening).rejects.toThrow("no engine");
});
