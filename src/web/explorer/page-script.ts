/**
 * What the explorer's pages do beyond showing: colours of code, uses of a name beside it, buttons that copy, ages of times, the part of a
 * long document that an address means. Every page works without it.
 */

import type { HLJSApi, LanguageFn } from "highlight.js";
import { unescapeText } from "../../core/parse-text.ts";
import { codeLanguageOf, GRAMMARS } from "../../core/text/code-languages.ts";
import type { SearchClient } from "../client/search-client.ts";

const SHOWN_MS = 2000;

/** Seconds of the units that ages are told in. */
const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

const LINE = /^L(\d{1,9})$/;

/** Kinds of tokens that have one colour, by the scopes of highlight.js. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  comment: ["comment", "quote", "meta"],
  keyword: ["keyword", "literal", "tag", "selector-tag", "deletion"],
  string: ["string", "regexp", "char", "link", "addition"],
  number: ["number", "symbol"],
  title: ["title", "section", "name", "bullet"],
  type: ["type", "built_in", "attr", "attribute", "property", "variable", "selector-class", "selector-id"],
};
const TOKEN_OF = new Map(Object.entries(TOKENS).flatMap(([kind, scopes]) => scopes.map((scope) => [scope, kind])));
/** Grammars of languages that have none of their own, and of other names. */
const GRAMMAR_OF: Readonly<Record<string, string>> = {
  tsx: "typescript",
  jsx: "javascript",
  vue: "xml",
  svelte: "xml",
  astro: "xml",
  html: "xml",
  shell: "bash",
  console: "bash",
  md: "markdown",
  mdx: "markdown",
  toml: "ini",
  yml: "yaml",
};
/** Markup has scripts and styles in it. */
const INSIDE: Readonly<Record<string, readonly string[]>> = { xml: ["javascript", "css"] };
const MAX_COLOURED = 400_000;

addAges(document, Date.now());
enableCopying(document);
followAnchor(document);
addEventListener("hashchange", () => followAnchor(document));
void searchHere(document);
showCurrent(document);
openPanels(document);
// Code can be read without colours.
colourCode(document).catch(() => undefined);
askInsights(document);

/** Adds its age to each `<time>` with a date. @param now Milliseconds since 1970. */
function addAges(root: ParentNode, now: number): void {
  for (const time of root.querySelectorAll<HTMLTimeElement>("time[datetime]")) {
    const age = describeAge(Date.parse(time.dateTime), now);
    if (age !== undefined) time.append(` (${age})`);
  }
}

/** `5 minutes ago`, `yesterday`; undefined where the time is none. Never of the future: clocks differ. */
function describeAge(then: number, now: number): string | undefined {
  if (Number.isNaN(then)) return undefined;
  const seconds = Math.max(0, (now - then) / 1000);
  const [unit, size] = UNITS.find(([, least]) => seconds >= least) ?? (["minute", 60] as const);
  if (seconds < 60) return "just now";
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.floor(seconds / size), unit);
}

/** Goes to the part that holds the anchor, as the outline or the number of a line says. Nothing where it is on this page. */
function followAnchor(page: Document): void {
  const anchor = unescapeText(page.location.hash.slice(1));
  if (anchor === "" || page.getElementById(anchor) !== null) return;
  const address = findPart(page, anchor);
  // A server that answers otherwise than its outline says would send the page round and round.
  if (address !== undefined && address.search !== page.location.search) page.location.replace(address);
}

function findPart(page: Document, anchor: string): URL | undefined {
  for (const { dataset, href } of page.querySelectorAll<HTMLAnchorElement>("a[data-part]")) {
    if (dataset["part"] !== anchor) continue;
    const address = new URL(href);
    address.hash = page.location.hash;
    return address;
  }
  const [, line] = LINE.exec(anchor) ?? [];
  if (line === undefined || page.querySelector(".source") === null) return undefined;
  const address = new URL(page.location.href);
  address.searchParams.set("from", line);
  return address;
}

/** Shows the buttons, and lets each copy the text of the element that its `data-copy` names. */
function enableCopying(page: Document): void {
  for (const button of page.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    const source = page.getElementById(button.dataset["copy"] ?? "");
    // A page that came without TLS may not write.
    if (source === null || navigator.clipboard === undefined) continue;
    button.hidden = false;
    // Where the browser refuses, the text can still be selected.
    button.addEventListener("click", () => copy(page, button, source).catch(() => undefined));
  }
}

async function copy(page: Document, button: HTMLButtonElement, source: HTMLElement): Promise<void> {
  const [label] = button.childNodes;
  await navigator.clipboard.writeText(source.textContent ?? "");
  const status = page.getElementById("status");
  if (status !== null) status.textContent = "Copied.";
  if (label === undefined) return;
  label.nodeValue = "Copied";
  setTimeout(() => {
    label.nodeValue = "Copy";
    if (status !== null) status.textContent = "";
  }, SHOWN_MS);
}

/** Lets the form ask for its page with a key, and shows the questions that an admin sees there. */
function askInsights(page: Document): void {
  const form = page.querySelector<HTMLFormElement>("form[data-insights]");
  const field = form?.querySelector<HTMLInputElement>("input[name=key]");
  const status = page.querySelector<HTMLElement>("[data-insights-status]");
  const place = page.getElementById("report");
  if (!form || !field || status === null || place === null) return;
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const key = field.value.trim();
    field.value = "";
    void ask(page.location.href, key, status, place);
  });
}

async function ask(address: string, key: string, status: HTMLElement, place: HTMLElement): Promise<void> {
  place.replaceChildren();
  status.textContent = "Asking …";
  try {
    const headers = { Accept: "text/html", Authorization: `Bearer ${key}` };
    const response = await fetch(address, { headers, cache: "no-store" });
    const answer = new DOMParser().parseFromString(await response.text(), "text/html");
    const report = answer.getElementById("report");
    const said = (response.ok ? report : answer)?.querySelector(response.ok ? "p" : "main p");
    status.textContent = said?.textContent ?? "This key is not an admin's.";
    said?.remove();
    place.replaceChildren(...(report?.childNodes ?? []));
  } catch {
    // A key with characters that no header takes is refused before anything is sent.
    status.textContent = "The server cannot be reached, or that is no key.";
  }
}

/** Lets hits of the box in the head lead to the explorer's pages. */
async function searchHere(page: Document): Promise<void> {
  const box = page.querySelector<HTMLElement & { client: SearchClient }>("header treeline-search");
  if (box === null) return;
  await customElements.whenDefined(box.localName);
  const { client } = box;
  const base = box.getAttribute("src") ?? "/";
  const addressOf = (id: string, nodeId = id): string =>
    `${base}documents/${id.split("/").map(encodeURIComponent).join("/").replaceAll("%3A", ":")}${nodeId.slice(id.length)}`;
  box.client = {
    prepare: () => client.prepare(),
    search: async (query, options) => {
      const found = await client.search(query, options);
      const pages = found.pages.map(({ sections, ...one }) => ({
        ...one,
        url: addressOf(one.id),
        sections: sections.map((section) => ({ ...section, url: addressOf(one.id, section.nodeId) })),
      }));
      return { ...found, pages };
    },
    suggest: async (query, options) =>
      (await client.suggest(query, options)).map((one) => ({ ...one, url: addressOf(one.documentId) })),
  };
}

function showCurrent(page: Document): void {
  const list = page.querySelector<HTMLElement>(".pages");
  const current = list?.querySelector<HTMLElement>("[aria-current]");
  if (list && current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
}

function openPanels(page: Document): void {
  page.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-panel]") : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showPanel(page, link).catch(() => page.location.assign(link.href));
  });
}

async function showPanel(page: Document, link: HTMLAnchorElement): Promise<void> {
  const response = await fetch(link.href, { headers: { Accept: "text/html" } });
  const found = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("symbol");
  if (found === null) throw new Error("no such symbol");
  page.querySelector("dialog.panel")?.remove();
  const panel = page.createElement("dialog");
  panel.className = "panel";
  panel.setAttribute("aria-label", `Uses of ${link.textContent}`);
  const [close, whole] = [page.createElement("button"), page.createElement("a")];
  close.textContent = "Close";
  close.addEventListener("click", () => panel.close());
  whole.href = link.href;
  whole.textContent = "All about it";
  panel.append(close, found, whole);
  panel.addEventListener("keydown", ({ key }) => key === "Escape" && panel.close());
  panel.addEventListener("close", () => link.focus({ preventScroll: true }));
  page.body.append(panel);
  panel.show();
}

/** Paints code, which stays as the server wrote it. Grammars are loaded as the page has code of their languages. */
async function colourCode(page: Document): Promise<void> {
  if (!("highlights" in CSS)) return;
  const blocks = [...page.querySelectorAll<HTMLElement>("pre[data-language]>code")].flatMap((code) => {
    const name = code.parentElement?.dataset["language"]?.toLowerCase() ?? "";
    const language = codeLanguageOf(`.${name}`) ?? name;
    const grammar = Object.hasOwn(GRAMMAR_OF, language) ? (GRAMMAR_OF[language] as string) : language;
    return GRAMMARS.includes(grammar) ? [{ code, grammar }] : [];
  });
  if (blocks.length === 0) return;
  const load = async <T>(name: string): Promise<T> =>
    ((await import(new URL(`script-${name}.js`, import.meta.url).href)) as { readonly default: T }).default;
  const names = [...new Set(blocks.flatMap(({ grammar }) => [grammar, ...(INSIDE[grammar] ?? [])]))];
  const [core, ...grammars] = await Promise.all([
    load<HLJSApi>("core"),
    ...names.map((name) => load<LanguageFn>(name)),
  ]);
  for (const [at, name] of names.entries()) core.registerLanguage(name, grammars[at] as LanguageFn);
  const painted: Record<string, Highlight> = {};
  for (const { code, grammar } of blocks) {
    const text = code.textContent ?? "";
    if (text.length > MAX_COLOURED) continue;
    for (const { kind, range } of listTokens(code, core.highlight(text, { language: grammar }).value)) {
      painted[kind] ??= new Highlight();
      painted[kind].add(range);
    }
  }
  for (const [kind, own] of Object.entries(painted)) CSS.highlights.set(`code-${kind}`, own);
}

/** Tokens of code with their places in it. @param marked What highlight.js makes of its text. */
function* listTokens(code: HTMLElement, marked: string) {
  const nodes = code.ownerDocument.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  let node = nodes.nextNode();
  let before = 0;
  const kinds: (string | undefined)[] = [];
  let offset = 0;
  /** The text that holds a place, with where that is in it. */
  const find = (place: number): { readonly node: Node; readonly at: number } | undefined => {
    for (; node !== null; node = nodes.nextNode()) {
      const { length } = node.nodeValue ?? "";
      if (place <= before + length) return { node, at: place - before };
      before += length;
    }
    return undefined;
  };
  for (const [all, scope] of marked.matchAll(/<span class="(?:hljs-)?([\w-]+)[^>]*>|<\/span>|[^<]+/g)) {
    if (scope !== undefined) kinds.push(TOKEN_OF.get(scope) ?? kinds.at(-1));
    else if (all === "</span>") kinds.pop();
    else {
      const end = offset + all.replace(/&[^;]+;/g, "x").length;
      const kind = kinds.at(-1);
      const [from, to] = kind === undefined ? [] : [find(offset), find(end)];
      offset = end;
      if (kind !== undefined && from !== undefined && to !== undefined) {
        const [startContainer, startOffset, endContainer, endOffset] = [from.node, from.at, to.node, to.at];
        yield { kind, range: new StaticRange({ startContainer, startOffset, endContainer, endOffset }) };
      }
    }
  }
}
