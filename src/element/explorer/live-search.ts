/**
 * Results while somebody types. They come as the page that the form leads to, so there is one place where results are
 * written and made safe; its parts are taken over as nodes.
 */
import { settleTime } from "../typing.ts";

/** What the page showed before anything was typed. */
interface Before {
  readonly nodes: readonly Node[];
  readonly address: string;
  readonly title: string;
}

/** Lets the form of a page search while it is filled in. */
export function searchWhileTyping(page: Document): void {
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
