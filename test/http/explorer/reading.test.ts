/** Pages as somebody reads them: what stands around a page, names in code that lead on, and who uses a symbol. */
import { describe, expect, it } from "vitest";
import { answerDocumentPage } from "../../../src/http/explorer/document-page.ts";
import { EXPLORER_PAGES } from "../../../src/http/explorer/explorer-pages.ts";
import { linkToDocument } from "../../../src/http/explorer/links.ts";
import { type Asking, serveIndex } from "../../mcp/tools/serve-index.ts";
import { BASE, pageServicesOf } from "../../support/http-services.ts";
import { makeCorpus } from "../../support/small-corpus.ts";

const FILES = {
  "docs/index.md": "# Lamps\n\nAll about lamps.\n",
  "docs/01-start/index.md": "# Getting started\n\nWith `lightLamp` and `Nothing`.\n\n```ts\nlightLamp(3);\n```\n",
  "docs/01-start/02-second.md":
    "# Second\n\nSee [the first][one].[^a]\n\n## Notes\n\n[one]: 10-tenth.md\n\n[^a]: A note.\n",
  "docs/01-start/10-tenth.md": "---\ndescription: With `code`\n---\n# Tenth\n\nLast.\n",
  "docs/02-more-of-it/far/page.md": "# Far\n\nAway.\n",
  "src/lamp.ts": `export interface Light {
  power: number;
}
export class Lamp implements Light {
  power = 1;
}
export function lightLamp(power: number): Light {
  const lamp = new Lamp();
  return measure(lamp, power);
}
function measure(lamp: Light, power: number): Light {
  return { ...lamp, power };
}
`,
  "src/use.ts": `import { lightLamp } from "./lamp.ts";\nexport const light = lightLamp(2);\n`,
  "src/lamp.test.ts": `import { lightLamp } from "./lamp.ts";\nlightLamp(1);\nlightLamp(2);\n`,
};

let opening: Promise<Asking> | undefined;

/** The index of the files, built once. */
async function open(): Promise<Asking> {
  const corpus = await makeCorpus(FILES, {
    collections: [
      { name: "docs", root: "docs" },
      { name: "code", root: "src", kind: "code" },
    ],
  });
  await corpus.build("one");
  const files = [...(await corpus.files("one"))];
  return serveIndex(Object.fromEntries(files.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")])));
}

async function read(path: string): Promise<string> {
  opening ??= open();
  const asking = await opening;
  const request = new Request(`${BASE}${path}`, { headers: { Accept: "text/html" } });
  const outline = EXPLORER_PAGES.find((one) => one.path === "/explorer/outline/*");
  const answer = path.startsWith("/documents/") ? answerDocumentPage : outline?.answer;
  const services = { ...pageServicesOf({} as never), withReader: asking.services.withReader };
  const response = await (answer as typeof answerDocumentPage)(request, services);
  expect(response.status).toBe(200);
  return response.text();
}

/** The text, and the address, of each link in a part of a page. */
function linksIn(text: string, pattern: RegExp): (readonly [string, string])[] {
  const [part = ""] = pattern.exec(text) ?? [];
  return [...part.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, href = "", shown = ""]) => [
    shown.replace(/<[^>]*>/g, ""),
    href,
  ]);
}
const PAGES = /<nav class="pages".*?<a class="soft"/s;

describe("the pages around one", () => {
  it("are those of its folders in the order of their paths, by title, the folder by its own page", async () => {
    const page = await read("/documents/docs:01-start/02-second.md");
    expect(linksIn(page, PAGES)).toEqual([
      ["Lamps", "/documents/docs:index.md"],
      ["Getting started", "/documents/docs:01-start/index.md"],
      ["Second", "/documents/docs:01-start/02-second.md"],
      ["Tenth", "/documents/docs:01-start/10-tenth.md"],
      ["More of it", "/documents/docs:02-more-of-it/far/page.md"],
    ]);
    expect(page).toContain(`href="/documents/docs:01-start/02-second.md" aria-current="page"`);
    expect(linksIn(page, /<nav class="paging around".*?<\/nav>/s)).toEqual([
      ["Previous Getting started", "/documents/docs:01-start/index.md"],
      ["Next Tenth", "/documents/docs:01-start/10-tenth.md"],
    ]);
  });

  it("name files of code as they are called", async () => {
    expect(linksIn(await read("/documents/code:src/use.ts".replace("src/", "")), PAGES).map(([name]) => name)).toEqual([
      "lamp.test.ts",
      "lamp.ts",
      "use.ts",
    ]);
  });
});

describe("a page", () => {
  it("leads to the symbols that it names, in code too, and to what it defines elsewhere", async () => {
    const start = await read("/documents/docs:01-start/index.md");
    const lamp = ["lightLamp", "/documents/code:lamp.ts#lightLamp"] as const;
    expect(linksIn(start, /<article>.*?<\/article>/s).slice(0, 2)).toEqual([lamp, lamp]);
    expect(start).toContain("<code>Nothing</code>");
    const second = await read("/documents/docs:01-start/02-second.md");
    expect(second).toContain(`<a href="/documents/docs:01-start/10-tenth.md">the first</a>`);
    expect(second).toContain(`<sup><a href="#fn-a">a</a></sup>`);
    expect(second).toContain(`id="fn-a"`);
  });

  it("shows code in its description", async () => {
    expect(await read("/documents/docs:01-start/10-tenth.md")).toContain(`<p dir="auto">With <code>code</code></p>`);
  });
});

describe("source code", () => {
  it("leads from each name to its definition, and from a definition to its uses", async () => {
    const page = await read("/documents/code:lamp.ts");
    const line = (number: number) => linksIn(page, new RegExp(`<span id="L${number}".*?\n</span>`, "s"));
    expect(line(8)).toEqual([["Lamp", "/documents/code:lamp.ts#L4"]]);
    expect(line(9)).toEqual([["measure", "/documents/code:lamp.ts#L11"]]);
    expect(line(7)).toEqual([
      ["lightLamp", "/explorer/outline/code:lamp.ts?symbol=lightLamp"],
      ["Light", "/documents/code:lamp.ts#L1"],
    ]);
    expect(page).toContain(`title="function measure(lamp: Light, power: number): Light"`);
    const use = await read("/documents/code:use.ts");
    expect(linksIn(use, /<span id="L2".*?\n<\/span>/s)).toContainEqual(["lightLamp", "/documents/code:lamp.ts#L7"]);
    // The text is what the file has.
    const shown = /<pre class="source".*?<\/pre>/s.exec(page)?.[0].replace(/<[^>]*>/g, "") ?? "";
    expect(shown).toBe(FILES["src/lamp.ts"]);
  });

  it("is led to in the part that a line is in", () => {
    const to = (line: number): string => linkToDocument("/v2", "code:a.ts", line);
    expect([1, 600, 601, 2345].map(to)).toEqual([
      "/v2/documents/code:a.ts#L1",
      "/v2/documents/code:a.ts#L600",
      "/v2/documents/code:a.ts?from=601#L601",
      "/v2/documents/code:a.ts?from=1801#L2345",
    ]);
  });

  it("tells of a symbol who uses it, which tests do, what implements it and which pages name it", async () => {
    const page = await read("/explorer/outline/code:lamp.ts?symbol=lightLamp");
    const part = (name: string) => linksIn(page, new RegExp(`<h3>${name} .*?</ul>`, "s"));
    expect(part("Used by")).toContainEqual(["light", "/documents/code:use.ts#L2"]);
    expect(part("Tests").map(([, href]) => href)).toContain("/documents/code:lamp.test.ts#L3");
    expect(part("Used by").filter(([, href]) => href.includes("test"))).toEqual([]);
    expect(part("Named in pages")).toEqual([["Getting started", "/documents/docs:01-start/index.md"]]);
    const light = await read("/explorer/outline/code:lamp.ts?symbol=Light");
    expect(linksIn(light, /<h3>Implemented by .*?<\/ul>/s)).toContainEqual(["Lamp", "/documents/code:lamp.ts#L4"]);
  });
});
