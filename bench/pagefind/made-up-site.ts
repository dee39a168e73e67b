/**
 * A small built site that uses all of Pagefind's attributes, as files: pages, sections with ids, filters, sort keys, meta data.
 */

const TOPICS = ["apples", "pears", "quinces", "cherries", "plums", "medlars", "figs", "grapes"] as const;
const COLORS = ["red", "green", "yellow"] as const;
const KINDS = ["guide", "reference"] as const;
const PAGES = 40;

/** Pages by path. */
export function makeSite(): ReadonlyMap<string, string> {
  const pages = Array.from({ length: PAGES }, (_, at): [string, string] => [
    at % 4 === 0 ? `part-${at}/index.html` : `part-${at % 5}/page-${at}.html`,
    makePage(at),
  ]);
  return new Map(pages);
}

function makePage(at: number): string {
  const topic = TOPICS[at % TOPICS.length] as string;
  const other = TOPICS[(at * 3 + 1) % TOPICS.length] as string;
  const colors = COLORS.filter((_, number) => at % (number + 2) === 0);
  // Some pages have no filters and no sort keys at all.
  const isPlain = at % 9 === 8;
  const filters = isPlain
    ? ""
    : `<p data-pagefind-ignore><span data-pagefind-filter="type">${KINDS[at % 2]}</span>${colors
        .map((color) => `<i data-pagefind-filter="color">${color}</i>`)
        .join(
          "",
        )}<b data-pagefind-sort="weight">${(at * 7) % 23}</b><b data-pagefind-sort="name">n${(at * 5) % 11}</b></p>`;
  return `<!doctype html><html lang="en"><head><title>Site</title></head><body><nav>Menu of everything</nav><main data-pagefind-body>
<h1>Chapter ${at} of ${topic}</h1>
${filters}<p>Growing ${topic} takes patience${at % 3 === 0 ? " and &lt;b&gt;manure&lt;/b&gt; &amp; water" : ""}.</p>
<img src="/pictures/${at}.png" alt="Picture ${at}">
<h2 id="harvest">Harvest in month ${at}</h2><p>Pick ${topic} beside ${other}, early. Word${at} stands here alone.</p>
<h2 id="keep">Keeping</h2><p>Keep ${other} cool and dry.</p><p data-pagefind-meta="author">Writer ${at % 6}</p>
<section id="sell" data-pagefind-title="Selling ${topic}"><h2>To market</h2><p data-pagefind-meta="description">Sold in month ${at + 1}</p></section>
</main></body></html>
`;
}
