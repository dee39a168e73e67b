/**
 * A visit to a page with a search box in any browser: opened by button and keys, typed in, moved through by Tab and arrows, left in
 * each way, a hit followed and gone back from.
 */
import type { Browser } from "./browser.ts";

/** What a visit is to find. */
export interface VisitPlan {
  /** Address of the page. It and those that hits lead to collect in `problems` what a policy refused and what failed. */
  readonly url: string;
  readonly query: string;
  /** A slip of it that is corrected. */
  readonly slip: string;
  /** The script of axe. */
  readonly axe: string;
}

/** Notes whether something is as it should be. */
export type Note = (isRight: boolean, what: string) => void;

const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 50;
/** Longer than the ten thousand that nobody types. */
const PASTED = "lantern ".repeat(1_300);

const BOX = `document.querySelector("treeline-search")`;
const part = (name: string): string => `${BOX}.shadowRoot.querySelector('[part~="${name}"]')`;
const parts = (name: string): string => `[...${BOX}.shadowRoot.querySelectorAll('[part~="${name}"]')]`;
const HAS_BOX = `${BOX}?.shadowRoot != null`;
const IS_OPEN = `${part("dialog")}.open`;
const FOCUSED = `(${BOX}.shadowRoot.activeElement?.getAttribute("part") ?? "")`;
const CHOSEN = `${parts("option")}.findIndex(({ ariaSelected }) => ariaSelected === "true")`;
const IS_QUIET = `!${part("dialog")}.hasAttribute("data-busy")`;
const HAS_ROWS = `${IS_QUIET} && ${parts("option")}.length > 0`;

/** Visits a page. */
export async function visitPage(browser: Browser, plan: VisitPlan, note: Note): Promise<void> {
  await browser.resize(1280, 800);
  await browser.goTo(plan.url);
  await until(browser, HAS_BOX);
  await openAndClose(browser, note);
  await moveThrough(browser, plan, note);
  await askOddly(browser, plan, note);
  await inspect(browser, plan, note);
  await follow(browser, plan, note);
}

async function openAndClose(browser: Browser, note: Note): Promise<void> {
  const opened = async (how: string): Promise<void> => {
    await until(browser, IS_OPEN);
    note((await browser.ask(FOCUSED)) === "input", `${how} opens it, with the focus in the field`);
  };
  const closed = async (how: string): Promise<void> => {
    await until(browser, `!${IS_OPEN}`);
    note(
      (await browser.ask(`document.documentElement.style.overflow`)) === "",
      `${how} closes it and lets the page go`,
    );
  };
  await click(browser, part("button"));
  await opened("the button");
  await browser.press("Escape");
  await closed("Escape");
  note((await browser.ask(FOCUSED)) === "button", "the focus goes back to the button");
  await browser.press("Control+k");
  await opened("Ctrl K");
  await browser.press("Control+k");
  await closed("Ctrl K");
  await browser.press("/");
  await opened("the slash");
  note((await browser.ask(`${part("input")}.value`)) === "", "the slash is not typed");
  await browser.click(5, 600);
  await closed("a click beside it");
}

async function moveThrough(browser: Browser, { query }: VisitPlan, note: Note): Promise<void> {
  await browser.press("Control+k");
  await browser.type(query);
  await until(browser, `${HAS_ROWS} && ${parts("chip")}.length > 1`);
  const best = await browser.ask<number>(CHOSEN);
  await browser.press("ArrowDown");
  note((await browser.ask(CHOSEN)) === best + 1, "an arrow chooses");

  const stops = 2 + (await browser.ask<number>(`${parts("chip")}.length`));
  for (const key of ["Tab", "Shift+Tab"]) {
    const seen: string[] = [];
    for (let presses = 0; presses < stops; presses++) {
      await browser.press(key);
      seen.push(await browser.ask(FOCUSED));
    }
    const isRound = seen.at(-1) === "input" && seen.every((stop) => /^(?:input|close|chip)/.test(stop));
    note(isRound, `${key} goes round: ${seen.join(" ")}`);
    await browser.ask(`${part("input")}.focus()`);
  }
  await click(browser, part("total"));
  await browser.press("ArrowDown");
  note(
    (await browser.ask(CHOSEN)) === best + 2 && (await browser.ask(FOCUSED)) === "input",
    "an arrow after a click on a blank place chooses",
  );
  const total = await browser.ask(`${part("total")}.textContent`);
  await click(browser, part("chip"));
  await until(
    browser,
    `${part("chip")}.ariaPressed === "true" && ${part("total")}.textContent !== ${JSON.stringify(total)}`,
  );
  await click(browser, part("chip"));
  await until(browser, `${part("total")}.textContent === ${JSON.stringify(total)}`);
  note(true, "a chip narrows, and lets go");
}

async function askOddly(browser: Browser, { slip }: VisitPlan, note: Note): Promise<void> {
  await retype(browser, slip);
  await until(browser, `${IS_QUIET} && ${part("note")}.querySelector("b") !== null`);
  note(true, "a slip is corrected");
  await retype(browser, "qqzzxxqwv");
  await until(browser, `${IS_QUIET} && ${part("message")}.textContent.includes("qqzzxxqwv")`);
  note(true, "nothing found is said");
  await browser.ask(
    `(${part("input")}.select(), document.execCommand("insertText", false, ${JSON.stringify(PASTED)}))`,
  );
  await until(browser, `${HAS_ROWS} && ${part("input")}.value.length === 2000`);
  note(true, "what is pasted is cut and searched for");
}

async function inspect(browser: Browser, { query, axe }: VisitPlan, note: Note): Promise<void> {
  await retype(browser, query);
  await until(browser, HAS_ROWS);
  // An action of the driver, as its other scripts: no policy of the page keeps it out.
  await browser.ask(`(() => { ${axe}; return 1; })()`);
  const found = await browser.ask<readonly string[]>(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.filter(({ impact }) => /serious|critical/.test(impact)).map(({ id, nodes }) => id + ": " + nodes[0].html))`,
  );
  note(found.length === 0, `axe finds nothing severe${found.map((one) => `; ${one}`).join("")}`);
}

async function follow(browser: Browser, { url, query }: VisitPlan, note: Note): Promise<void> {
  const { pathname } = new URL(url);
  await retype(browser, query);
  await until(browser, HAS_ROWS);
  await browser.press("Enter");
  await until(browser, `location.pathname !== ${JSON.stringify(pathname)} && document.readyState === "complete"`);
  await until(browser, `scrollY > 0`);
  note(true, "Enter leads to the hit, which is scrolled to");
  const problems = await browser.ask<readonly string[]>("problems");
  note(problems.length === 0, `the page has no problems${problems.map((one) => `; ${one}`).join("")}`);
  await browser.back();
  await until(browser, `location.pathname === ${JSON.stringify(pathname)} && ${HAS_BOX}`);
  note(await browser.ask(`!${IS_OPEN} && document.documentElement.style.overflow === ""`), "back, it is closed");
  await browser.press("Control+k");
  await until(browser, IS_OPEN);
  await retype(browser, "");
  await until(browser, `${parts("recent")}.length === 1`);
  note(true, "the search is remembered");
  const before = await browser.ask<readonly string[]>("problems");
  note(before.length === 0, `nor had the one before${before.map((one) => `; ${one}`).join("")}`);
}

/** Types a text in place of what stands in the field. */
async function retype(browser: Browser, text: string): Promise<void> {
  await browser.ask(`(${part("input")}.focus(), ${part("input")}.select())`);
  await browser.press("Delete");
  await until(browser, `${part("input")}.value === ""`);
  await browser.type(text);
}

/** Clicks in the middle of an element. */
async function click(browser: Browser, element: string): Promise<void> {
  const [x = 0, y = 0] = await browser.ask<readonly number[]>(
    `(({ x, y, width, height }) => [x + width / 2, y + height / 2])(${element}.getBoundingClientRect())`,
  );
  await browser.click(x, y);
}

/** Waits until an expression is true in the page. @throws {Error} where it does not become so. */
async function until(browser: Browser, expression: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    // A page that is just left answers nothing.
    const isTrue = await browser.ask<boolean>(`Boolean(${expression})`).catch(() => false);
    if (isTrue) return;
    if (Date.now() > end) throw new Error(`never true: ${expression}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
