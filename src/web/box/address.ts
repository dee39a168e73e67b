/**
 * Addresses that rows lead to.
 *
 * Pure: text in, text out.
 */

/**
 * The address in full, or undefined where it is none that a row may lead to: only those of pages (`http:`, `https:`) and
 * relative ones are.
 *
 * @param base Address of the page that shows the row.
 * @param isHere Keeps path, query and anchor, and takes the site of `base`: for previews of a site elsewhere.
 */
export function resolveAddress(address: string, base: string, isHere = false): string | undefined {
  if (address === "") return undefined;
  let url: URL;
  try {
    url = new URL(address, base);
  } catch {
    return undefined;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  return isHere ? new URL(base).origin + url.pathname + url.search + url.hash : url.href;
}
