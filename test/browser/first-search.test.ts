/**
 * Rounds of the first search of a visit, code counted: a host that answers nothing until all that belongs to the first round was asked
 * for, and after it no code at all.
 */
import { describe, expect, it } from "vitest";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { type BoxPage, openBox } from "./box.ts";

/** What any first search in the page needs. */
const ENGINE = ["engine.js", POINTER_FILE];
/** And the box. */
const BOX = ["search-answer-rows.js", "search-static-client.js"];

/** A host whose answers wait. */
interface SlowHost {
  /** What was asked for since nothing is answered by itself, by name. */
  asked(): readonly string[];
  readonly before: (path: string) => Promise<void>;
  /** From now on nothing is answered. */
  hold(): void;
  /** Answer what was asked for, and index files from now on; code that is asked for later waits for the next call. */
  answer(): void;
}

function makeHost(): SlowHost {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  let isHeld = false;
  let isIndexHeld = false;
  return {
    asked: () => asked.filter((name) => name === POINTER_FILE || name.endsWith(".js")).sort(),
    async before(path) {
      if (!isHeld) return;
      asked.push(path.replace(/^index\//, ""));
      if (isIndexHeld || path.endsWith(".js")) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    hold() {
      isHeld = true;
      isIndexHeld = true;
    },
    answer() {
      isIndexHeld = false;
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

/** A page with a box, of a host that from now on does not answer. */
async function openHeld(html = `lang="en"`): Promise<{ readonly box: BoxPage; readonly host: SlowHost }> {
  const host = makeHost();
  const box = await openBox("files", { html, habits: { before: host.before }, allow: [/ERR_EMPTY_RESPONSE/] });
  await box.button.waitFor();
  await box.page.waitForLoadState("networkidle");
  host.hold();
  return { box, host };
}

describe("the first search of a visit, in index files", () => {
  it("asks for all code and the pointer on focus at once, and needs no more code for its first result", async () => {
    const { box, host } = await openHeld();
    expect(host.asked()).toEqual([]);
    await box.button.focus();
    await expect.poll(host.asked).toEqual([...ENGINE, ...BOX].sort());
    host.answer();
    await box.button.click();
    await box.input.fill("lamp");
    await box.options.first().waitFor();
    expect(new Set(host.asked()).size).toBe(host.asked().length);
  });

  it("asks for the same when the first thing is a key", async () => {
    const { box, host } = await openHeld();
    await box.page.keyboard.press("Control+k");
    await expect.poll(host.asked).toEqual([...ENGINE, ...BOX].sort());
    await box.page.keyboard.type("lamp");
    host.answer();
    await box.options.first().waitFor();
  });

  it("asks for stemmers at once where the page is in a language that has one", async () => {
    const { box, host } = await openHeld(`lang="de-AT"`);
    await box.button.focus();
    await expect.poll(host.asked).toEqual([...ENGINE, "analyzers.js", ...BOX].sort());
  });

  it("asks for what Pagefind's interface needs at once, too", async () => {
    const { box, host } = await openHeld();
    const found = box.page.evaluate<number>(
      `import("${box.site.url}index/pagefind.js").then(({ search }) => search("lamp")).then(({ results }) => results.length)`,
    );
    await expect.poll(host.asked).toEqual(["pagefind.js"]);
    host.answer();
    await expect.poll(host.asked).toEqual([...ENGINE, "rarer-functions.js", "pagefind.js"].sort());
    host.answer();
    expect(await found).toBeGreaterThan(0);
  });
});
