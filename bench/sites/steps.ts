/** Steps of a visitor on one site: types, follows, sees what was found; on a phone, in the dark, in a language, in a version. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { ask, OURS, openBox, openWindow, readChosen, readRows } from "./browse.ts";
import type { SiteHost } from "./host.ts";
import { listFiles, type Scope, type Visit } from "./site.ts";

/** What came of each step: "" where it went well, "—" where the site has nothing of the kind, else what went wrong. */
export type Steps = Readonly<
  Record<"typed" | "followed" | "marked" | "phone" | "dark" | "language" | "version", string>
>;

/** What the steps are taken with. */
export interface Walk {
  readonly browser: Browser;
  readonly visit: Visit;
  readonly host: SiteHost;
  readonly isOwnForm: IsOwnForm;
  /** Called with the name of each picture. */
  readonly picture: (page: Page, name: string) => Promise<void>;
}

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const BOX = "treeline-search";
const DIALOG = `${BOX} dialog`;
const KEY_MS = 40;
const LOOK_MS = 100;
/** How long marks may take to come after a page is there. */
const MARKS_MS = 6000;
/** No page has this colour; marks are painted in it to be counted in a picture. */
const MARK = [255, 0, 255] as const;
const FEWEST_MARKED = 40;
/** Relative luminance below which a surface is dark. */
const DARKEST = 0.25;

/** Take all steps. Each has a window of its own, so that one that fails hinders no other. */
export async function walk(way: Walk): Promise<Steps> {
  const { visit } = way;
  const first = await go(() => typeAndFollow(way));
  const scopes = (kind: Scope["kind"]): Promise<string> =>
    stayWithin(
      way,
      (visit.scopes ?? []).filter((one) => one.kind === kind),
    );
  return {
    ...(typeof first === "string" ? { typed: first, followed: "not tried", marked: "not tried" } : first),
    phone: await goText(() => onPhone(way)),
    dark: visit.dark === undefined ? "—" : await goText(() => inTheDark(way, visit.dark ?? "system")),
    language: await goText(() => scopes("language")),
    version: await goText(() => scopes("version")),
  };
}

/** True for an address that a site writes as it is, or never writes at all, as of pages that only its menus in script know. */
export type IsOwnForm = (address: string) => boolean;

/** Learns from the links on the pages of a built site how it writes addresses. */
export async function readLinks(dist: string, site: string): Promise<IsOwnForm> {
  const linked = new Set<string>();
  for (const path of await listFiles(dist, ".html")) {
    const html = await readFile(join(dist, path), "utf8");
    const here = new URL(path.replace(/(^|\/)index\.html$/, "$1"), site);
    for (const [, quoted, bare] of html.matchAll(/<a\s[^>]*?href=(?:["']([^"']*)["']|([^\s>]+))/g)) {
      const href = (quoted ?? bare ?? "").replaceAll("&amp;", "&");
      // A link within its page says nothing about how pages are addressed.
      const address = href.startsWith("#") ? null : URL.parse(href, here);
      if (address?.href.startsWith(site) === true) linked.add(withoutHash(address.href));
    }
  }
  const pages = new Set([...linked].map((address) => pageOf(address, site)));
  return (address) => {
    const own = withoutHash(address);
    // A link without the slash that ends a folder is redirected there.
    const isFolder = own.endsWith("/") && linked.has(own.slice(0, -1));
    return linked.has(own) || isFolder || (own.startsWith(site) && !pages.has(pageOf(own, site)));
  };
}

/** An address without its fragment. */
export function withoutHash(address: string): string {
  return address.replace(/#.*$/, "");
}

/** Path of a page however it is written: without ending, `index` and slashes at its ends. */
export function pageOf(address: string, site: string): string {
  const path = decodeURIComponent(withoutHash(address).replace(/\?.*$/, ""));
  return (path.startsWith(site) ? path.slice(site.length) : path)
    .replace(/\.html$/, "")
    .replace(/(^|\/)index$/, "$1")
    .replace(/^\/|\/$/g, "");
}

async function typeAndFollow(way: Walk): Promise<Pick<Steps, "typed" | "followed" | "marked">> {
  const { browser, visit, host, isOwnForm } = way;
  const window = await openWindow(browser, host);
  try {
    const page = await window.newPage();
    await page.addInitScript(paintMarks, MARK);
    // The key is pressed as soon as the page can be read, and must not be lost.
    await page.goto(`${host.site}${visit.start}`, { waitUntil: "domcontentloaded" });
    await page.keyboard.press("Control+k");
    const isOpen = await page
      .locator(OURS.input)
      .waitFor({ state: "visible", timeout: 5000 })
      .then(
        () => true,
        () => false,
      );
    if (!isOpen) {
      await page.waitForLoadState("load");
      await openBox(page);
    }
    await page.keyboard.type(visit.query, { delay: KEY_MS });
    const rows = await readRows(page, OURS);
    await way.picture(page, "desktop");
    const chosen = (await readChosen(page)) ?? rows[0] ?? "";
    const isRight = pageOf(chosen, host.site) === pageOf(visit.page, "");
    const typed = !isOpen
      ? "Ctrl K before the page is loaded is lost"
      : isRight
        ? ""
        : `Enter leads to ${chosen || "nothing"}`;
    const strange = rows.find((row) => !isOwnForm(row));
    host.redirected.clear();
    await page.keyboard.press("Enter");
    await page.waitForURL((address) => withoutHash(address.href) !== `${host.site}${visit.start}`);
    await page.waitForLoadState("networkidle");
    const [there] = [page.url()];
    const path = new URL(there).pathname;
    const problems = [
      strange === undefined ? "" : `the site does not write ${withoutHash(strange)}`,
      withoutHash(there) === withoutHash(chosen) ? "" : `${withoutHash(chosen)} became ${withoutHash(there)}`,
      host.redirected.has(path) ? `a host redirects ${path}` : "",
    ];
    const marked = await countMarked(page);
    await way.picture(page, "marked");
    return {
      typed,
      followed: problems.filter(Boolean).join("; "),
      marked: marked >= FEWEST_MARKED ? "" : "nothing is marked",
    };
  } finally {
    await window.close();
  }
}

async function onPhone(way: Walk): Promise<string> {
  const { browser, visit, host } = way;
  const window = await openWindow(browser, host, PHONE);
  try {
    const page = await window.newPage();
    await page.goto(`${host.site}${visit.start}`, { waitUntil: "load" });
    await page.waitForFunction(`document.querySelector("${BOX}")?.shadowRoot != null`);
    const before = await widthOf(page);
    await page.locator(`${BOX} button`).first().tap();
    await page.locator(OURS.input).waitFor({ state: "visible" });
    const rows = await ask(page, OURS, visit.query);
    await way.picture(page, "phone");
    const frame = await page.locator(DIALOG).boundingBox();
    const width = PHONE.viewport.width;
    const isInside = frame !== null && frame.x >= 0 && frame.x + frame.width <= Math.max(width, before);
    await page.locator(OURS.row).first().tap();
    await page.waitForURL((address) => withoutHash(address.href) !== `${host.site}${visit.start}`);
    return rows.length === 0
      ? "nothing found"
      : isInside
        ? ""
        : `the dialog is at ${JSON.stringify(frame)} of ${width} pixels`;
  } finally {
    await window.close();
  }
}

async function inTheDark(way: Walk, switches: readonly string[] | "system"): Promise<string> {
  const { browser, visit, host } = way;
  const window = await openWindow(browser, host, { colorScheme: "light" });
  try {
    const page = await window.newPage();
    await page.goto(`${host.site}${visit.start}`, { waitUntil: "networkidle" });
    await openBox(page);
    const light = await luminanceOf(page);
    await page.keyboard.press("Escape");
    await page.locator(OURS.input).waitFor({ state: "hidden" });
    if (switches === "system") await page.emulateMedia({ colorScheme: "dark" });
    else
      for (const one of switches) {
        const element = page.locator(one).filter({ visible: true }).first();
        if (await element.evaluate((found) => found instanceof HTMLSelectElement)) await element.selectOption("dark");
        else await element.click();
      }
    await openBox(page);
    const rows = await ask(page, OURS, visit.query);
    await way.picture(page, "dark");
    const dark = await luminanceOf(page);
    return rows.length > 0 && dark < DARKEST && light > 1 - DARKEST
      ? ""
      : `the dialog's luminance is ${light.toFixed(2)}, then ${dark.toFixed(2)}`;
  } finally {
    await window.close();
  }
}

async function stayWithin(way: Walk, scopes: readonly Scope[]): Promise<string> {
  const problems: string[] = [];
  for (const { kind, start, query, within } of scopes) {
    const window = await openWindow(way.browser, way.host);
    try {
      const page = await window.newPage();
      await page.goto(`${way.host.site}${start}`, { waitUntil: "load" });
      await openBox(page);
      const rows = await ask(page, OURS, query);
      await way.picture(page, `${kind}-${start.split("/").find((part) => /\d|^..$/.test(part)) ?? "current"}`);
      const paths = rows.map((row) => new URL(row).pathname);
      const outside = paths.findIndex((path) => !within.test(path));
      const inside = paths.findLastIndex((path) => within.test(path));
      if (inside === -1) problems.push(`${start}, ${query}: nothing of this ${kind}, first ${paths[0] ?? "nothing"}`);
      else if (outside !== -1 && outside < inside)
        problems.push(`${start}, ${query}: ${paths[outside]} before others of this ${kind}`);
    } finally {
      await window.close();
    }
  }
  return scopes.length === 0 ? "—" : problems.join("; ");
}

/** Runs in the page: the browser's marks of a text fragment, and the box's own, get one colour. */
function paintMarks([red, green, blue]: readonly number[]): void {
  const sheet = new CSSStyleSheet();
  const rule = `{ background-color: rgb(${red}, ${green}, ${blue}) !important; }`;
  sheet.replaceSync(`::target-text ${rule} ::highlight(treeline-found) ${rule}`);
  const add = (): void => {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((one) => one !== sheet), sheet];
  };
  add();
  document.addEventListener("DOMContentLoaded", add);
}

/** Pixels of the window that have the colour of marks, as soon as there are enough. */
async function countMarked(page: Page): Promise<number> {
  const reader = await page.context().newPage();
  let count = 0;
  for (
    const start = Date.now();
    Date.now() - start < MARKS_MS && count < FEWEST_MARKED;
    await page.waitForTimeout(LOOK_MS)
  ) {
    const picture = (await page.screenshot()).toString("base64");
    count = await reader.evaluate(
      async ({ data, mark }) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
        context.drawImage(image, 0, 0);
        const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
        let found = 0;
        for (let at = 0; at < bytes.length; at += 4)
          if (mark.every((part, channel) => bytes[at + channel] === part)) found++;
        return found;
      },
      { data: picture, mark: MARK },
    );
  }
  await reader.close();
  return count;
}

function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}

/** Relative luminance of the dialog's background. */
function luminanceOf(page: Page): Promise<number> {
  return page.locator(DIALOG).evaluate((dialog) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
    canvas.fillStyle = "#fff";
    canvas.fillRect(0, 0, 1, 1);
    const parts = [dialog, ...dialog.querySelectorAll("*")];
    const painted = parts
      .map((one) => getComputedStyle(one).backgroundColor)
      .find((color) => !/, 0\)$|transparent/.test(color));
    canvas.fillStyle = painted ?? "#fff";
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  });
}

/** What comes of something, or why it failed. */
async function go<T>(step: () => Promise<T>): Promise<T | string> {
  return step().catch((error: unknown) => String(error).split("\n").slice(0, 3).join(" "));
}

function goText(step: () => Promise<string>): Promise<string> {
  return go(step);
}
