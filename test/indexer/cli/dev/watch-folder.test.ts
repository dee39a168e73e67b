import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from "vitest";
import { watchFolder } from "../../../../indexer/cli/dev/follow-folder.ts";

type FolderWatch = ReturnType<typeof watchFolder>;

/** Longer than a burst of changes is collected: what was not reported then is not reported. */
const SETTLED_MS = 700;
/** Longer than a burst that goes on is collected, and than a folder is looked at: what is not reported then, never is. */
const SEEN = { timeout: 20_000, interval: 400 };

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

/** Nothing tells when a watch has begun: writes a file until that is reported. */
async function untilSeen(onChange: Mock, ...path: readonly string[]): Promise<void> {
  onChange.mockClear();
  let text = "";
  await vi.waitFor(async () => {
    text += "x";
    await writeFile(join(dir, ...path), text);
    expect(onChange).toHaveBeenCalled();
  }, SEEN);
}

/** The same, and waits until what is left of the burst was reported too. */
async function untilWatched(onChange: Mock): Promise<void> {
  await untilSeen(onChange, "guide", "a.md");
  do {
    onChange.mockClear();
    await sleep(SETTLED_MS);
  } while (onChange.mock.calls.length > 0);
}

describe("watchFolder", () => {
  it("reports a change in a folder below, in a new one too", async () => {
    const onChange = vi.fn();
    watching = watchFolder(dir, onChange);
    await untilSeen(onChange, "guide", "a.md");
    await mkdir(join(dir, "new"));
    await untilWatched(onChange);
    await untilSeen(onChange, "new", "b.md");
  });

  it("does not report what tools and Treeline itself keep there", async () => {
    const onChange = vi.fn();
    watching = watchFolder(dir, onChange);
    await untilWatched(onChange);
    for (const file of ["node_modules/x/readme.md", ".treeline/dev/index", ".git/HEAD"])
      await writeFile(join(dir, file), "x");
    await sleep(SETTLED_MS);
    expect(onChange).not.toHaveBeenCalled();
  });

  it("reports a burst of changes once", async () => {
    const onChange = vi.fn();
    watching = watchFolder(dir, onChange);
    await untilWatched(onChange);
    // In one task: no pause of this process is a pause between them.
    for (let index = 0; index < 20; index++) writeFileSync(join(dir, "guide", `${index}.md`), "x");
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), SEEN);
    await sleep(SETTLED_MS);
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  it("goes on with the folder that was put in the place of the watched one", async () => {
    const onChange = vi.fn();
    watching = watchFolder(dir, onChange);
    await untilWatched(onChange);
    await rename(dir, `${dir}-old`);
    await mkdir(join(dir, "guide"), { recursive: true });
    // That it is another folder is a change as well: what is written there makes more of them.
    for (const name of ["b.md", "c.md", "d.md"]) await untilSeen(onChange, "guide", name);
    await rm(`${dir}-old`, { recursive: true, force: true });
  });
});
