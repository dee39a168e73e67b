/** Texts of a hostile corpus on every page: nothing unseen is left in them, and none of them is HTML. */
import { describe, expect, it } from "vitest";
import type { PageServices } from "../../../src/http/explorer/answer-page.ts";
import { answerDocumentPage } from "../../../src/http/explorer/document-page.ts";
import { EXPLORER_PAGES } from "../../../src/http/explorer/explorer-pages.ts";
import { EXPLORER_FILES } from "../../../src/http/page-files.ts";
import { type Asking, serveIndex } from "../../mcp/tools/serve-index.ts";
import { HOSTILE, HOSTILE_CONFIG, HOSTILE_PAGES, HOSTILE_PATHS } from "../../support/hostile-corpus.ts";
import { makeCorpus } from "../../support/small-corpus.ts";

const BASE = "https://docs.example.org";
/** Written on its own: what strips these characters is what is tested. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds.
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is looked for on its own.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0e\ufeff\u{e0000}-\u{e0fff}]|\p{Cs}/u;
/** HTML in every place where a text of a page can stand. */
const MARKUP = `"><img src=x onerror=alert(1)><script>alert(1)</script><svg onload=alert(1)>'`;
const MARKUP_PAGE = `---
title: ${JSON.stringify(MARKUP)}
description: ${JSON.stringify(MARKUP)}
type: ${JSON.stringify(MARKUP)}
tags: [${JSON.stringify(MARKUP)}]
---
# ${MARKUP}

${MARKUP} markup [${MARKUP}](javascript:alert(1)) [a](<javascript:alert(1)>) <javascript:alert(1)> ![${MARKUP}](data:text/html,x)
\`${MARKUP}\` [b]( java\tscript:alert(1)) **${MARKUP}**

## ${MARKUP} again {#${MARKUP.replaceAll(/[\s{}]/g, "")}}

\`\`\`${MARKUP.replaceAll(" ", "")}
${MARKUP}
\`\`\`

| ${MARKUP} | b |
|---|---|
| ${MARKUP} | c |

- ${MARKUP}
  > ${MARKUP}

<script>alert(1)</script>
`;
const MARKUP_SOURCE = `/** ${MARKUP} */\nexport const markup = \`${MARKUP}\`;\nexport class Markup { "${MARKUP.replaceAll('"', "")}"() { return 1; } }\n`;

async function open(): Promise<Asking> {
  const [docs, code] = HOSTILE_CONFIG.collections;
  const corpus = await makeCorpus(
    { ...HOSTILE_PAGES, "markup.md": MARKUP_PAGE, "src/markup.ts": MARKUP_SOURCE },
    {
      collections: [
        { ...docs, baseUrl: "https://docs.example.org/guide/", repository: "https://example.org/a/b" },
        code,
      ],
    },
  );
  await corpus.build("one");
  return serveIndex(
    Object.fromEntries(
      [...(await corpus.files("one"))].map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]),
    ),
  );
}

function servicesOf(asking: Asking): PageServices {
  return {
    withReader: asking.services.withReader,
    base: BASE,
    isShared: true,
    now: 0,
    report: (problem) => {
      throw new Error(JSON.stringify(problem));
    },
    corpus: "",
    caller: { isAdmin: true },
    needsKey: false,
    shownPaths: [],
    nameFiles: async () => EXPLORER_FILES,
    listCorpora: async () => undefined,
    readInsights: async () => "off",
  } as PageServices;
}

async function read(asking: Asking, path: string): Promise<{ readonly status: number; readonly text: string }> {
  const request = new Request(`${BASE}${path}`, { headers: { Accept: "text/html" } });
  const { pathname } = new URL(request.url);
  const page = EXPLORER_PAGES.find((one) =>
    one.path.endsWith("*") ? pathname.startsWith(one.path.slice(0, -1)) : one.path === pathname,
  );
  const answer = pathname.startsWith("/documents/") ? answerDocumentPage : page?.answer;
  const response = await (answer as typeof answerDocumentPage)(request, servicesOf(asking));
  return { status: response.status, text: await response.text() };
}

const IDS = [
  "docs:markup.md",
  "code:src/markup.ts",
  "docs:plain.md",
  ...Object.values(HOSTILE_PATHS).map((path) => (path.endsWith(".ts") ? `code:${path}` : `docs:${path}`)),
];
const QUERIES = ["evil", "markup", "alert", "EvilWord", HOSTILE, MARKUP, "zzzz", "word -evil", `"evil word"`];
const PATHS = [
  ...EXPLORER_PAGES.map(({ path }) => path.replace("*", "")),
  ...IDS.map((id) => `/documents/${id.split("/").map(encodeURIComponent).join("/")}`),
  ...IDS.map((id) => `/explorer/outline/${id.split("/").map(encodeURIComponent).join("/")}`),
  `/documents/${encodeURIComponent(MARKUP)}`,
  ...QUERIES.map((query) => `/explorer/search?explain=1&q=${encodeURIComponent(query)}`),
  `/explorer/search?q=evil&f.type=${encodeURIComponent(MARKUP)}&collection=${encodeURIComponent(MARKUP)}&sort=${encodeURIComponent(MARKUP)}`,
];

/** Tags with their attributes, as a browser would take them. */
function tagsOf(text: string): string[] {
  return text.match(/<[a-zA-Z!/][^>]*>/g) ?? [];
}

describe("pages about hostile texts", () => {
  it("hold nothing unseen, and no tag, script or address of theirs", async () => {
    const asking = await open();
    let shown = 0;
    for (const path of PATHS) {
      const { status, text } = await read(asking, path);
      expect(status, path).toBeLessThan(500);
      expect(UNSEEN.exec(text)?.[0], path).toBeUndefined();
      const tags = tagsOf(text);
      expect(
        tags.filter((tag) => /^<\/?(?:img|iframe|object|base|style)/i.test(tag)),
        path,
      ).toEqual([]);
      expect(
        tags.filter((tag) => /^<script/i.test(tag) && !/ src="\/(?:explorer\/(?:script|graph)|search)\.js/.test(tag)),
        path,
      ).toEqual([]);
      expect(
        tags.filter((tag) => /\s(?:on[a-z]+|style)\s*=/i.test(tag.replace(/"[^"]*"/g, ""))),
        path,
      ).toEqual([]);
      const addresses = [...text.matchAll(/\s(?:href|action|src)="([^"]*)"/g)].map(([, address = ""]) => address);
      for (const address of addresses) {
        expect(address, path).toMatch(/^(?:\/(?!\/)|#|https:\/\/|data:,$|cursor:\/\/anysphere|vscode:mcp)/);
      }
      if (text.includes("alert(1)")) shown++;
    }
    // What is hostile is there to be read.
    expect(shown).toBeGreaterThan(8);
  });
});
