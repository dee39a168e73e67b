import { openStaticIndex, searchAsTyped } from "treeline/engine";

/** A section that was found. */
export interface Hit {
  /** Address below this site. */
  readonly url: string;
  readonly title: string;
  readonly page: string;
  readonly excerpt: string;
}

/** Opens the index at an address. What it gives searches; undefined for a text that was typed over. */
export async function openSearch(index: string): Promise<(text: string) => Promise<readonly Hit[] | undefined>> {
  const typed = searchAsTyped(await openStaticIndex(index));
  return async (text) => {
    if (text.trim() === "") return [];
    const answer = await typed(text, { limit: 6, excerpts: 6 });
    return answer?.hits.map(({ title, url, sections: [best] }) => ({
      url: addressHere(best?.url || url),
      title: best?.heading || title,
      page: title,
      excerpt: best?.excerpt.map((part) => part.text).join("") ?? "",
    }));
  };
}

/** The index knows the site by the address that it is published under; a preview has another one. */
function addressHere(url: string): string {
  const { pathname, hash } = new URL(url, location.href);
  return pathname + hash;
}
