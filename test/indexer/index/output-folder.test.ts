import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { beforeAll, describe, expect, it } from "vitest";
import { buildCorpus } from "../../../indexer/index/build.ts";
import { type LockOptions, nodeDisk, writeToFolder } from "../../../indexer/index/output-folder.ts";
import { nameFile } from "../../../indexer/index/write-table.ts";
import { InputError } from "../../../src/core/errors.ts";
import { decodePointer, encodeManifest, encodePointer } from "../../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { buildPages } from "../../support/build-index.ts";
import { checkOutput } from "../../support/check-output.ts";
import { createFullDisk, createMortalDisk, Killed } from "../../support/faulty-disk.ts";
import { makeFolder, readFolder } from "../../support/temporary-folder.ts";

type LockOwner = NonNullable<LockOptions["owner"]>;

type Files = ReadonlyMap<string, Uint8Array>;

const HOST = hostname().replace(/[^A-Za-z0-9-]/g, "-");

describe("an output folder", () => {
  let first: Files;
  let second: Files;
  let dead: LockOwner;

  beforeAll(async () => {
    first = (await buildPages({ "a.md": "# One\n\nThe same text.\n", "b.md": "# Both\n\nStays.\n" })).files;
    second = (await buildPages({ "a.md": "# Two\n\nThe other text.\n", "b.md": "# Both\n\nStays.\n" })).files;
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    dead = { host: HOST, pid, started: 1 };
  });

  const write = (dir: string, files: Files, options: Parameters<typeof writeToFolder>[2] = {}): Promise<void> =>
    writeToFolder(
      dir,
      async (sink) => {
        for (const [name, bytes] of files) await sink(name, bytes);
      },
      options,
    );
  const generationOf = (files: Files): string => decodePointer(files.get(POINTER_FILE) ?? new Uint8Array()).generation;

  it("holds one generation after another, and what is somebody else's, whatever it is called", async () => {
    const foreign = { "README.md": "mine", [`${"ab".repeat(16)}.pack`]: "mine", ".x.4711.partial": "mine" };
    const dir = await makeFolder(foreign);
    await write(dir, first);
    await write(dir, second);
    const { generation, needed, others } = await checkOutput(dir);
    expect(generation).toBe(generationOf(second));
    expect(needed).toEqual([...second.keys()].sort());
    expect(others).toEqual(Object.keys(foreign).sort());
  });

  it("is whole at whichever operation a build dies, and clean after the next one", async () => {
    const counted = createMortalDisk(Number.POSITIVE_INFINITY);
    const rehearsal = await makeFolder();
    await write(rehearsal, first);
    await write(rehearsal, second, { disk: counted });
    expect(counted.operations).toBeGreaterThan(4 * second.size);
    const seen = new Set<string>();
    for (let lives = 0; lives < counted.operations; lives++) {
      const dir = await makeFolder({ "README.md": "mine" });
      await write(dir, first);
      const killed = write(dir, second, { disk: createMortalDisk(lives), owner: dead });
      // What gives the lock back may fail unnoticed: the work is done by then.
      if (lives < counted.operations - 1) await expect(killed).rejects.toBeInstanceOf(Killed);
      else await killed;
      const { generation } = await checkOutput(dir);
      seen.add(generation);
      await write(dir, first);
      const after = await checkOutput(dir);
      expect(after.generation).toBe(generationOf(first));
      expect(after.others).toEqual(["README.md"]);
    }
    expect(seen).toEqual(new Set([generationOf(first), generationOf(second)]));
  });

  it("is whole when the build that cleans up after a dead one dies too", async () => {
    const lives = 9;
    for (let again = 0; again < 40; again += 3) {
      const dir = await makeFolder();
      await write(dir, first);
      await write(dir, second, { disk: createMortalDisk(lives), owner: dead }).catch(() => undefined);
      await write(dir, second, { disk: createMortalDisk(again), owner: { ...dead, started: 2 } }).catch(
        () => undefined,
      );
      await checkOutput(dir);
      await write(dir, second);
      expect(await checkOutput(dir)).toEqual({
        generation: generationOf(second),
        needed: [...second.keys()].sort(),
        others: [],
      });
    }
  });

  it("is as before when the disk is full at any byte, and the error says so", async () => {
    const total = [...second.values()].reduce((sum, bytes) => sum + bytes.length, 0);
    const dir = await makeFolder();
    await write(dir, first);
    const before = await readFolder(dir);
    for (let room = 0; room < total; room += Math.ceil(total / 23)) {
      await expect(write(dir, second, { disk: createFullDisk(room) })).rejects.toMatchObject({ code: "ENOSPC" });
      expect(await readFolder(dir)).toEqual(before);
    }
  });

  it.each([
    ["ENOSPC", "no space left on device"],
    ["EROFS", "read-only file system"],
    ["EACCES", "permission denied"],
  ])("that answers %s makes a build say that %s", async (code, words) => {
    const dir = await makeFolder({ "a.md": "# A" });
    const refused = buildCorpus({ dir, outDir: join(dir, "out"), output: { disk: createFullDisk(100, code) } });
    const error: unknown = await refused.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toMatch(/^cannot write to ".*out": /);
    expect((error as Error).message).toContain(words);
    expect(await readdir(join(dir, "out"))).toEqual([]);
  });

  it("that is removed, or removed and made again, while it is written is an error in words", async () => {
    for (const makeAgain of [false, true]) {
      const dir = await makeFolder({ "a.md": "# A" });
      const outDir = join(dir, "out");
      let writes = 0;
      const disk = {
        ...nodeDisk,
        async write(path: string, bytes: Uint8Array): Promise<void> {
          if (++writes === 3) {
            await rm(outDir, { recursive: true });
            if (makeAgain) await mkdir(outDir);
          }
          await nodeDisk.write(path, bytes);
        },
      };
      await expect(buildCorpus({ dir, outDir, output: { disk } })).rejects.toThrow(/^cannot write to .*removed/);
      expect(await readdir(outDir).catch(() => [])).not.toContain(POINTER_FILE);
    }
  });

  it("keeps the files of the previous generations that its pointer lists", async () => {
    const dir = await makeFolder();
    await write(dir, first);
    const old = decodePointer(first.get(POINTER_FILE) ?? new Uint8Array());
    const fresh = decodePointer(second.get(POINTER_FILE) ?? new Uint8Array());
    const previous = [{ generation: old.generation, root: old.root, manifest: old.manifest, commit: "", builtAt: "" }];
    await write(dir, new Map(second).set(POINTER_FILE, encodePointer({ ...fresh, previous })));
    expect(new Set(await readdir(dir))).toEqual(new Set([...first.keys(), ...second.keys()]));
    await write(dir, second);
    expect(new Set(await readdir(dir))).toEqual(new Set(second.keys()));
  });

  it("with a pointer or a manifest that cannot be read loses nothing", async () => {
    const { manifest } = decodePointer(first.get(POINTER_FILE) ?? new Uint8Array());
    for (const name of [POINTER_FILE, manifest]) {
      const dir = await makeFolder();
      await write(dir, first);
      await writeFile(join(dir, name), name === manifest ? encodeManifest({ format: 1, files: [] }) : "damaged");
      await write(dir, second);
      expect(new Set(await readdir(dir))).toEqual(new Set([...first.keys(), ...second.keys()]));
      await checkOutput(dir);
    }
  });

  it("takes no file that is called otherwise than an index file", async () => {
    const dir = await makeFolder({ "package.json": "mine", "out/package.json": "mine" });
    const out = join(dir, "out");
    for (const name of ["../package.json", `${"0a".repeat(16)}./../../package.json`, "package.json", ".", ""]) {
      const refused = writeToFolder(out, (sink) => sink(name, Uint8Array.of(1)));
      await expect(refused).rejects.toThrow("is no index file");
    }
    expect(await readdir(dir)).toEqual(["out", "package.json"]);
    expect(await readFile(join(dir, "package.json"), "utf8")).toBe("mine");
    expect(await readFolder(out)).toEqual(new Map([["package.json", new TextEncoder().encode("mine")]]));
  });

  it("takes builds that come at once one after another, and the last one stands", async () => {
    const dir = await makeFolder();
    await Promise.all(Array.from({ length: 8 }, (_, n) => write(dir, n % 2 === 0 ? first : second)));
    const { generation, others } = await checkOutput(dir);
    expect([generationOf(first), generationOf(second)]).toContain(generation);
    expect(others).toEqual([]);
  });

  it("lets nobody write while another build does", async () => {
    const dir = await makeFolder();
    let inside = 0;
    await Promise.all(
      Array.from({ length: 6 }, () =>
        writeToFolder(dir, async () => {
          expect(++inside).toBe(1);
          await new Promise((resolve) => setTimeout(resolve, 5));
          inside--;
        }),
      ),
    );
    expect(await readdir(dir)).toEqual([]);
  });

  it("is waited for as long as its owner lives, and no longer than the longest wait", async () => {
    const dir = await makeFolder();
    const waited: LockOwner[] = [];
    await writeToFolder(dir, async () => {
      const refused = write(dir, second, { maxWaitMs: 100, onWait: (other) => waited.push(other) });
      await expect(refused).rejects.toThrow(`another build (process ${process.pid} on ${HOST})`);
    });
    expect(waited).toHaveLength(1);
    await write(dir, second, { maxWaitMs: 0 });
  });

  it("does not take a later process with the same number for the owner of a lock", async () => {
    // Where the system does not say when a process started, its number is all there is.
    const knows = (await readFile("/proc/self/stat").catch(() => undefined)) !== undefined;
    const dir = await makeFolder({ [`.build.${HOST}.${process.pid}.7.0.lock`]: "" });
    const next = write(dir, second, { maxWaitMs: 0 });
    if (knows) await next;
    else await expect(next).rejects.toThrow("another build");
  });

  it("counts the lock of another machine for an hour", async () => {
    const lock = ".build.elsewhere.1.1.0.lock";
    const dir = await makeFolder({ [lock]: "" });
    await expect(write(dir, second, { maxWaitMs: 0 })).rejects.toThrow("process 1 on elsewhere");
    const longAgo = Date.now() / 1000 - 3601;
    await utimes(join(dir, lock), longAgo, longAgo);
    await write(dir, second, { maxWaitMs: 0 });
    expect((await checkOutput(dir)).others).toEqual([]);
  });

  it("loses no file to what a foreign journal names", async () => {
    const kept = nameFile(encodeManifest({ format: 1, files: [] }), "manifest");
    const dir = await makeFolder({ "README.md": "mine", [kept]: "mine" });
    const journal = `README.md\n../README.md\n${POINTER_FILE}\n/etc/hosts\n`;
    await writeFile(join(dir, `.build.${HOST}.${dead.pid}.1.0.lock`), journal);
    await write(dir, second);
    expect((await checkOutput(dir)).others).toEqual(["README.md", kept].sort());
  });
});
