/**
 * A site whose pages have a search box, out of the Worker or out of index files beside its pages. Its policy allows scripts and
 * requests from where the box comes from, and nothing else.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { inject, onTestFinished } from "vitest";
import { type HostHabits, type StaticHost, serveFiles } from "../support/static-host.ts";
import { type BrowseOptions, openPage } from "./browse.ts";
import type { CorpusName } from "./start-browser.ts";

/** Where a box has its answers from. */
export const SOURCES = ["worker", "files"] as const;
export type Source = (typeof SOURCES)[number];

/** A page with a box. */
export interface BoxPage {
  readonly page: Page;
  /** The site; with index files it has them in `index/`. */
  readonly site: StaticHost;
  /** Files of the site, which may be changed while the page is open. */
  readonly files: Map<string, Uint8Array>;
  /** Address of the script. */
  readonly script: string;
  readonly button: Locator;
  readonly dialog: Locator;
  readonly input: Locator;
  readonly options: Locator;
  readonly chips: Locator;
  readonly message: Locator;
  readonly note: Locator;
}

/** What the page is like. */
export interface BoxOptions extends BrowseOptions {
  readonly corpus?: CorpusName;
  /** What stands in the page; `SCRIPT` becomes the tag of the script. */
  readonly body?: string;
  /** Parameters of the script's address. */
  readonly parameters?: string;
  /** Attributes of the page itself. */
  readonly html?: string;
  readonly habits?: HostHabits;
}

const TYPES: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript" };
/** Enough to scroll, in one element: whoever looks at all of them is soon done. */
const TEXT = `<main><h1>Lantern</h1><pre>${"Lantern keeps the lamps of a house in sync.\n".repeat(60)}</pre></main>`;
/** A page as most are: the box in its header. */
export const BODY = `<header><treeline-search></treeline-search></header>${TEXT}SCRIPT`;

/** Open a page with a box. */
export async function openBox(source: Source, options: BoxOptions = {}): Promise<BoxPage> {
  const { corpus = "handbook", body = BODY, html = `lang="en"`, parameters = "", habits = {}, ...browse } = options;
  const worker = `${inject("workerUrl")}/${corpus}/`;
  const files = new Map<string, Uint8Array>();
  if (source === "files") for (const [name, bytes] of readIndex(corpus)) files.set(`index/${name}`, bytes);
  const origin = source === "worker" ? inject("workerUrl") : "'self'";
  const site = await serveFiles((path) => files.get(path), {
    type: (path) => TYPES[path.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    headers: {
      "content-security-policy": `default-src 'none'; img-src data:; style-src 'self'; form-action *; script-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'`,
    },
    ...habits,
  });
  onTestFinished(() => site.close());
  const script = source === "worker" ? `${worker}search.js` : `${site.url}index/search.js`;
  files.set(
    "page.html",
    Buffer.from(
      `<!doctype html><html ${html}><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>Lantern</title>${body.replace("SCRIPT", `<script type="module" src="${script}${parameters && `?${parameters}`}"></script>`)}`,
    ),
  );
  const page = await openPage(`${site.url}page.html`, browse);
  const part = (name: string): Locator => page.locator(`treeline-search [part~="${name}"]`);
  return {
    ...{ page, site, files, script },
    button: part("button"),
    dialog: part("dialog"),
    input: page.getByRole("combobox"),
    options: page.getByRole("option"),
    chips: part("chip"),
    message: part("message"),
    note: part("note"),
  };
}

/** The files of a corpus: its index, and what pages load beside it. */
export function readIndex(corpus: CorpusName): ReadonlyMap<string, Uint8Array> {
  const dir = inject("indexes")[corpus];
  return new Map(readdirSync(dir).map((name) => [name, readFileSync(join(dir, name))]));
}

/** Type as a person does, and wait for the answer. */
export async function search({ page, input, dialog, options, message }: BoxPage, text: string): Promise<void> {
  await input.fill("");
  await page.keyboard.type(text);
  await dialog.and(page.locator(":not([data-busy])")).waitFor();
  await options.or(message).locator("visible=true").first().waitFor();
}

/** Lets the pages that hits lead to be there. */
export async function serveTargets(page: Page): Promise<void> {
  const body = `<!doctype html><link rel="icon" href="data:,"><title>Target</title><h2 id="linux">Linux</h2><p>A page that was found.`;
  await page.context().route("https://example.org/**", (route) => route.fulfill({ contentType: "text/html", body }));
}
