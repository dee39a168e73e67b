/**
 * What the explorer's pages do beyond showing: results while somebody types, buttons that copy, ages of times, the part of a
 * long document that an address means. Every page works without it.
 */

import { unescapeText } from "../../core/parse-text.ts";
import { settleTime } from "../typing.ts";

const SHOWN_MS = 2000;

/** Seconds of the units that ages are told in. */
const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

const LINE = /^L(\d{1,9})$/;

addAges(document, Date.now());
enableCopying(document);
followAnchor(document);
addEventListener("hashchange", () => followAnchor(document));
searchWhileTyping(document);
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

/** What the page showed before anything was typed. */
interface Before {
  readonly nodes: readonly Node[];
  readonly address: string;
  readonly title: string;
}

/** Lets the form of a page search while it is filled in. */
function searchWhileTyping(page: Document): void {
  const form = page.querySelector<HTMLFormElement>("form[data-live]");
  const place = page.getElementById("results");
  const status = page.getElementById("status");
  const field = form?.querySelector<HTMLInputElement>("input[name=q]");
  if (!form || !field || place === null || status === null) return;
  const before = field.value === "" ? remember(page, place) : undefined;
  let asked = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Nobody waits any more for what was asked or is about to be. */
  const giveUp = (): void => {
    clearTimeout(timer);
    asked.abort();
  };
  const ask = async (): Promise<void> => {
    giveUp();
    asked = new AbortController();
    const { signal } = asked;
    if (field.value.trim() === "" && before !== undefined) return restore(page, place, status, before);
    const address = new URL(form.action);
    for (const [name, value] of new FormData(form)) {
      if (typeof value === "string" && value !== "") address.searchParams.append(name, value);
    }
    const typed = new URL(address);
    typed.searchParams.set("typing", "1");
    place.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(typed, { signal, headers: { Accept: "text/html" } });
      const answer = new DOMParser().parseFromString(await response.text(), "text/html");
      if (signal.aborted) return;
      const found = answer.getElementById("results");
      if (found === null) return tell(status, place, nameFailure(response.status));
      place.replaceChildren(...found.childNodes);
      page.title = answer.title;
      status.textContent = place.querySelector(".summary")?.textContent ?? "";
      history.replaceState(null, "", address);
    } catch (error) {
      if (!signal.aborted) tell(status, place, nameFailure(error instanceof TypeError ? 0 : 500));
    } finally {
      if (!signal.aborted) place.removeAttribute("aria-busy");
    }
    return undefined;
  };

  form.addEventListener("input", (event) => {
    // An answer to what is no longer in the field is none.
    giveUp();
    // A word that is still being composed is no word yet.
    if (event instanceof InputEvent && event.isComposing) return;
    timer = setTimeout(() => void ask(), settleTime(field.value));
  });
  field.addEventListener("compositionend", () => void ask());
}

function remember(page: Document, place: HTMLElement): Before {
  return { nodes: [...place.childNodes], address: page.location.href, title: page.title };
}

function restore(page: Document, place: HTMLElement, status: HTMLElement, before: Before): void {
  place.removeAttribute("aria-busy");
  place.replaceChildren(...before.nodes);
  status.textContent = "";
  page.title = before.title;
  history.replaceState(null, "", before.address);
}

function nameFailure(status: number): string {
  if (status === 0) return "The server cannot be reached. Check the connection and type on.";
  if (status === 429) return "Too many questions in a short time. Wait a minute and type on.";
  if (status === 401 || status === 403) return "This server does not know you any more. Load the page again.";
  return "The search failed. Try it again.";
}

/** Says what went wrong, to eyes and ears alike. */
function tell(status: HTMLElement, place: HTMLElement, message: string): void {
  const shown = document.createElement("p");
  shown.className = "summary error";
  shown.textContent = message;
  place.replaceChildren(shown);
  status.textContent = message;
}
