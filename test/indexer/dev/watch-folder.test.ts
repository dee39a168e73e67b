import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type FolderWatch, pollFolder, watchFolder } from "../../../indexer/dev/watch-folder.ts";

/** Longer than a burst of changes is collected. */
const SETTLED_MS = 700;

let dir: string;
let watching: FolderWatch;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "treeline-watch-"));
  for (const folder of ["guide", "node_modules/x", ".treeline/dev", ".git"])
    await mkdir(join(dir, folder), { recursive: true });
  await writeFile(join(dir, "guide", "a.md"), "a");
});
afterEach(async () => {
  watching.stop();
  await rm(dir, { recursive: true, force: true });
});

describe.each([
  ["watchFolder", watchFolder],
  ["pollFolder", (folder: string, onChange: () => void) => pollFolder(folder, onChange, 50)],
])("%s", (_, watch) => {
  it("reports a change in a folder below, in a new one too", async () => {
    const onChange = vi.fn();
    watching = watch(dir, onChange);
    await sleep(300);
    await writeFile(join(dir, "guide", "a.md"), "changed");
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), { timeout: 5000 });
    await sleep(SETTLED_MS);
    await mkdir(join(dir, "new"));
    await sleep(SETTLED_MS);
    onChange.mockClear();
    await writeFile(join(dir, "new", "b.md"), "b");
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), { timeout: 5000 });
  });

  it("does not report what tools and Treeline itself keep there", async () => {
    const onChange = vi.fn();
    watching = watch(dir, onChange);
    await sleep(300);
    for (const file of ["node_modules/x/readme.md", ".treeline/dev/index", ".git/HEAD"])
      await writeFile(join(dir, file), "x");
    await sleep(SETTLED_MS);
    expect(onChange).not.toHaveBeenCalled();
  });
});

describe("watchFolder", () => {
  it("reports a burst of changes once", async () => {
    const onChange = vi.fn();
    watching = watchFolder(dir, onChange);
    await sleep(300);
    for (let index = 0; index < 20; index++) await writeFile(join(dir, "guide", `${index}.md`), "x");
    await sleep(SETTLED_MS);
    expect(onChange).toHaveBeenCalledTimes(1);
  });
});

describe("watchFolder", () => {
  it("goes on with the folder that was put in the place of the watched one", async () => {
    const onChange = vi.fn();
    watching = watchFolder(dir, onChange);
    await sleep(300);
    await rename(dir, `${dir}-old`);
    await mkdir(join(dir, "guide"), { recursive: true });
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), { timeout: 8000 });
    await sleep(3000);
    onChange.mockClear();
    await writeFile(join(dir, "guide", "b.md"), "b");
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), { timeout: 5000 });
    await rm(`${dir}-old`, { recursive: true, force: true });
  }, 20_000);
});
