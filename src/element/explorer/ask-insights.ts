/**
 * Query insights for who has an admin key. The key is sent once as a header and is nowhere else: in no address, no storage, and not
 * in the field any more.
 */

interface Row {
  readonly query: string;
  readonly callers: number;
  readonly count: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly lastSeen: string;
}

/** Lets the form of the page ask. */
export function askInsights(page: Document): void {
  const form = page.querySelector<HTMLFormElement>("form[data-insights]");
  const field = form?.querySelector<HTMLInputElement>("input[name=key]");
  const status = page.querySelector<HTMLElement>("[data-insights-status]");
  const rows = page.querySelector<HTMLElement>("[data-insights-rows]");
  if (!form || !field || status === null || rows === null) return;
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const key = field.value.trim();
    field.value = "";
    void ask(form.dataset.insights ?? "", key, status, rows);
  });
}

async function ask(address: string, key: string, status: HTMLElement, place: HTMLElement): Promise<void> {
  place.replaceChildren();
  status.textContent = "Asking …";
  try {
    const response = await fetch(address, { headers: { Authorization: `Bearer ${key}` }, cache: "no-store" });
    const answer = (await response.json()) as { error?: string; since?: string; queries?: readonly Row[] };
    if (!response.ok) {
      status.textContent = answer.error ?? `The server answered ${response.status}.`;
      return;
    }
    const queries = answer.queries ?? [];
    status.textContent =
      queries.length === 0
        ? `Nothing since ${answer.since} that enough callers asked.`
        : `${queries.length} since ${answer.since}, most callers first.`;
    if (queries.length > 0) place.append(writeTable(place.ownerDocument, queries, place.dataset.insightsRows ?? ""));
  } catch (error) {
    // A key with characters that no header takes is refused before anything is sent.
    status.textContent =
      error instanceof TypeError ? "The server cannot be reached, or that is no key." : "The answer cannot be read.";
  }
}

/** @param search Address of the page that searches, to which each question leads. */
function writeTable(page: Document, queries: readonly Row[], search: string): HTMLElement {
  const region = page.createElement("div");
  region.className = "table";
  region.tabIndex = 0;
  region.setAttribute("role", "region");
  region.setAttribute("aria-label", "Questions");
  const table = page.createElement("table");
  const head = table.createTHead().insertRow();
  for (const name of ["Question", "Callers", "Times", "Outcome", "Last seen"]) {
    const cell = page.createElement("th");
    cell.scope = "col";
    cell.textContent = name;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const { query, callers, count, kinds, lastSeen } of queries) {
    const row = body.insertRow();
    const outcomes = Object.entries(kinds).map(([kind, times]) => `${kind} ${times}`);
    const link = page.createElement("a");
    link.href = `${search}?${new URLSearchParams({ q: query })}`;
    link.append(query);
    for (const shown of [link, `${callers}`, `${count}`, outcomes.join(", "), lastSeen]) {
      const cell = row.insertCell();
      cell.dir = "auto";
      cell.append(shown);
    }
  }
  region.append(table);
  return region;
}
