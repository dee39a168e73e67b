/** Indexes that are not Treeline's. */
import { hasShape } from "../has-shape.ts";

/** What Pagefind's own index begins with. */
const ENTRY_FILE = "pagefind-entry.json";

/**
 * Why no index could be opened in a folder: what was thrown, unless what lies there is Pagefind's own. Never rejects.
 *
 * @param send How to send a request; `fetch` unless a test says otherwise.
 */
export async function explainForeign(
  folder: string,
  cause: unknown,
  send: (url: string) => Promise<Response> = (url) => fetch(url),
): Promise<unknown> {
  try {
    const response = await send(`${folder.replace(/\/*$/, "/")}${ENTRY_FILE}`);
    if (!response.ok || !hasShape((await response.json()) as unknown, { version: "", languages: {} })) return cause;
  } catch {
    return cause;
  }
  const message = `the index at ${folder} is Pagefind's own, which Treeline does not read: build it with \`treeline build --browser\``;
  return new Error(message, { cause });
}
