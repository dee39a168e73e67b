/** Buttons that copy a text of the page. They are hidden where no script runs. */

const SHOWN_MS = 2000;

/** Shows the buttons, and lets each copy the text of the element that its `data-copy` names. */
export function enableCopying(page: Document): void {
  for (const button of page.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    const source = page.getElementById(button.dataset["copy"] ?? "");
    if (source === null) continue;
    button.hidden = false;
    button.addEventListener("click", () => void copy(page, button, source));
  }
}

async function copy(page: Document, button: HTMLButtonElement, source: HTMLElement): Promise<void> {
  const [label] = button.childNodes;
  const isCopied = await write(source.textContent ?? "").catch(() => select(page, source));
  const status = page.getElementById("status");
  if (status !== null) status.textContent = isCopied ? "Copied." : "Selected: copy it with your keyboard.";
  if (label === undefined) return;
  label.nodeValue = isCopied ? "Copied" : "Selected";
  setTimeout(() => {
    label.nodeValue = "Copy";
    if (status !== null) status.textContent = "";
  }, SHOWN_MS);
}

/** @throws where the page may not write, as one that came without TLS. */
async function write(text: string): Promise<boolean> {
  await navigator.clipboard.writeText(text);
  return true;
}

/** Selects the text, so that a key copies it; copies it where an old way still can. */
function select(page: Document, source: HTMLElement): boolean {
  const range = page.createRange();
  range.selectNodeContents(source);
  const selection = page.getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
  return page.execCommand("copy");
}
