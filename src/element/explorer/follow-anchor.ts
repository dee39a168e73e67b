/** Finds what an address means where it stands on another part of a long document: servers are not told of anchors. */

const LINE = /^L(\d{1,9})$/;

/** Goes to the part that holds the anchor, as the outline or the number of a line says. Nothing where it is on this page. */
export function followAnchor(page: Document): void {
  const anchor = decode(page.location.hash.slice(1));
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

/** The anchor as ids are written; as it stands where it is not well escaped. */
function decode(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
}
