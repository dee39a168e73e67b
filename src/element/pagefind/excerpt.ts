/**
 * Excerpts as HTML: words of a page with those of the query marked. Nothing in them is a tag but `<mark>`.
 *
 * Pure.
 */

/** A word of the query in the page, as Pagefind describes it. */
export interface WeightedLocation {
  /** 1 in text, up to 7 in a heading. */
  readonly weight: number;
  /** What it is worth in an excerpt. */
  readonly balanced_score: number;
  /** Index among the words of the page. */
  readonly location: number;
}

/** An excerpt with marks and without. Both are HTML. */
export interface Excerpt {
  readonly excerpt: string;
  readonly plain_excerpt: string;
}

/** What an excerpt is cut from. */
export interface ExcerptSource {
  /** Words as HTML. */
  readonly words: readonly string[];
  /** Between words. */
  readonly joiner: string;
}

/** How an excerpt is cut. */
export interface ExcerptCut {
  /** Words that it has at most. */
  readonly length: number;
  /** Stands where something was left out. */
  readonly ellipsis: string;
  /** The words that it may show: from one index to before another. */
  readonly from: number;
  readonly to: number;
}

/** Text as HTML that shows it. Quotes stay: what uses it as the value of an attribute has to escape them. */
export function toHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The words in which the query's stand densest. `locations` lie between `from` and `to`, in order. */
export function cutExcerpt(
  { words, joiner }: ExcerptSource,
  locations: readonly WeightedLocation[],
  { length, ellipsis, from, to }: ExcerptCut,
): Excerpt {
  const start = findStart(locations, length, from, to);
  const end = Math.min(start + length, to);
  const marked = new Set(locations.map(({ location }) => location));
  const join = (show: (word: string, at: number) => string): string => {
    const text = words
      .slice(start, end)
      .map((word, at) => show(word, start + at))
      .join(joiner)
      .trim();
    const before = ellipsis !== "" && start > from ? `${toHtml(ellipsis)}${joiner}` : "";
    const behind = ellipsis !== "" && end < to ? `${joiner}${toHtml(ellipsis)}` : "";
    return `${before}${text}${behind}`;
  };
  return {
    excerpt: join((word, at) => (marked.has(at) ? `<mark>${word}</mark>` : word)),
    plain_excerpt: join((word) => word),
  };
}

/** Where the densest run of words begins, with some words before its first match where there is room. */
function findStart(locations: readonly WeightedLocation[], length: number, from: number, to: number): number {
  let best = { value: 0, first: from, last: from };
  let value = 0;
  let begin = 0;
  for (const { location, balanced_score } of locations) {
    value += balanced_score;
    while (location - (locations[begin]?.location ?? 0) >= length) value -= locations[begin++]?.balanced_score ?? 0;
    if (value > best.value) best = { value, first: locations[begin]?.location ?? from, last: location };
  }
  const room = length - (best.last - best.first + 1);
  const start = best.first - Math.floor(room / 2);
  return Math.max(from, Math.min(start, to - length));
}
