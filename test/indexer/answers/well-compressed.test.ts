import { beforeAll, describe, expect, it } from "vitest";
import { findPages } from "../../../src/core/search/find-pages.ts";
import { answerDocumentPage } from "../../../src/http/explorer/document-page.ts";
import { answerFullText } from "../../../src/http/llms-txt.ts";
import { answerPagefind } from "../../../src/http/pagefind-api.ts";
import { type BuiltIndex, buildPages, type OpenReader } from "../../support/build-index.ts";
import { BASE, pageServicesOf } from "../../support/http-services.ts";

/** Text without a word, which takes next to nothing in the index. */
const SIGNS = `${"&".repeat(79)}\n`;
const LINES = 250;
const SECTIONS = 60;
const ONE_SECTION = SIGNS.length * LINES;

/** What an answer read beyond what it gave: a round of blocks that turned out longer than any with words. */
const ROUND = 32 * ONE_SECTION;

describe("pages that take a thousand times their bytes when they are read", () => {
  let index: BuiltIndex;
  let opened: OpenReader;

  beforeAll(async () => {
    const sections = Array.from({ length: SECTIONS }, (_, at) => `## Part ${at}\n\n${SIGNS.repeat(LINES)}\n`);
    index = await buildPages({
      "amp.md": `# Signs\n\n${sections.join("")}`,
      ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}.md`, `# Page\n\n${SIGNS.repeat(LINES)}`])),
      "words.md": `# Words\n\n${"Some words of a line.\n".repeat(12_000)}`,
    });
  });

  async function ask(
    answer: (request: Request, services: ReturnType<typeof pageServicesOf>) => Promise<Response>,
    path: string,
  ): Promise<Response> {
    opened = await index.open();
    return answer(new Request(`${BASE}${path}`), pageServicesOf(opened));
  }

  it("are shown up to a bound, with the headings of all that is left out", async () => {
    const response = await ask(answerDocumentPage, "/documents/docs:amp.md");
    const page = await response.text();
    expect(response.status).toBe(200);
    // Each sign takes five characters in HTML.
    expect(page.length).toBeLessThan(2_000_000);
    expect(page).toContain("Part 59</a></h");
    expect(page).toContain("The rest of this section is in");
    expect(opened.reader.cost.bytesInflated).toBeLessThan(ONE_SECTION * SECTIONS);
  });

  it("are shown in parts where they have words", async () => {
    const page = await (await ask(answerDocumentPage, "/documents/docs:words.md")).text();
    expect(page.length).toBeLessThan(400_000);
    expect(page.match(/Some words of a line\./g)?.length).toBeGreaterThan(10_000);
  });

  it("are given to Pagefind's interface from their beginning on, however often one is asked for", async () => {
    const { generation, pages } = await findPages((await index.open()).reader, {
      ...{ query: "signs", filter: {}, added: {}, language: "", sort: undefined },
      ...{ withCounts: false, ranking: {}, typing: false },
    });
    const [{ key = "" } = {}] = pages;
    const read = { generation, keys: Array.from({ length: 20 }, () => key), terms: [] };
    const response = await ask(answerPagefind, `/pagefind/pages?ask=${encodeURIComponent(JSON.stringify({ read }))}`);
    const answer = await response.text();
    expect(response.status).toBe(200);
    expect(answer.length).toBeLessThan(20 * 200_000);
    expect(JSON.parse(answer).pages).toHaveLength(20);
    expect(JSON.parse(answer).pages[0]).toMatchObject({ title: "Signs" });
  });

  it("are read for the text of everything until that is full", async () => {
    const response = await ask(answerFullText, "/llms-full.txt?bytes=100000");
    expect((await response.text()).length).toBeLessThanOrEqual(100_000);
    expect(opened.reader.cost.bytesInflated).toBeLessThan(ROUND);
  });
});
