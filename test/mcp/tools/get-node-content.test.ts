import { describe, expect, it } from "vitest";
import { ask, askJson } from "./handbook.ts";

const INSTALL = "docs:guide/install.md";
const CHANGELOG = "docs:changelog.md";
const LINUX = `## Linux

Use the package manager to install the server.

\`\`\`sh
# refresh the list first
apt update
apt install lantern
\`\`\`

`;

interface Passage {
  readonly nodeId: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  readonly linesLeft?: number;
  readonly nextLines?: string;
}

async function read(given: Record<string, unknown>): Promise<Passage[]> {
  return (await askJson("get_node_content", given)).sections as Passage[];
}

describe("get_node_content", () => {
  it("gives the exact text under a header with id, lines, title path and address", async () => {
    const { texts } = await ask("get_node_content", { node_ids: [`${INSTALL}#linux`] });
    expect(texts[1]).toBe(
      `${INSTALL}#linux @10-19 Install Lantern > Linux\nhttps://example.org/docs/guide/install#linux\n` +
        `\`\`\`\`\n${LINUX}\`\`\`\``,
    );
  });

  it.each([
    { node_ids: [`${INSTALL}#linux`] },
    { node_ids: `${INSTALL}#linux` },
    { node_ids: ["guide/install.md#linux"] },
    { node_ids: ["#linux"], doc_id: INSTALL },
    { node_ids: ["linux"], doc_id: "guide/install.md" },
    { node_ids: ["#n1"], doc_id: INSTALL },
    { node_ids: `["${INSTALL}#n1"]` },
    { node_id: `${INSTALL}#linux` },
    { nodeIds: [`${INSTALL}#linux`, `${INSTALL}#n1`] },
  ])("takes full and short ids, lists and single texts: %j", async (given) => {
    expect(await read(given)).toMatchObject([{ nodeId: `${INSTALL}#linux`, startLine: 10, endLine: 19, text: LINUX }]);
  });

  it("gives the root's own text without frontmatter, and the whole document with include_descendants", async () => {
    const [root] = await read({ node_ids: [INSTALL] });
    expect(root).toMatchObject({ nodeId: INSTALL, startLine: 7, endLine: 9 });
    expect(root?.text).toBe("\nBefore you install, read the [requirements](../reference/requirements.md).\n\n");
    const [whole] = await read({ node_ids: [INSTALL], include_descendants: true });
    expect(whole?.text.startsWith(`${root?.text}${LINUX}### Behind a proxy`)).toBe(true);
    expect(whole).toMatchObject({ startLine: 7, endLine: 40 });
  });

  it("gives lines of the file, frontmatter included where they reach it", async () => {
    const [first] = await read({ doc_id: INSTALL, lines: "1-3" });
    expect(first?.text).toBe(
      "---\ntitle: Install Lantern\ndescription: Install the server on Linux or Mac, behind a proxy if need be.\n",
    );
    const [across] = await read({ doc_id: INSTALL, lines: "19-22" });
    expect(across).toMatchObject({
      startLine: 19,
      endLine: 22,
      text: "\n### Behind a proxy\n\nSet `HTTP_PROXY` before the install; the server reads it once, when it starts.\n",
    });
  });

  it.each(["10-12", "L10-L12", "10..12", "10, 12", { start: 10, end: 12 }, { startLine: 10, endLine: 12 }, [10, 12]])(
    "takes lines however they are written: %j",
    async (lines) => {
      expect(await read({ node_ids: [`${INSTALL}#linux`], lines })).toMatchObject([
        { startLine: 10, endLine: 12, text: "## Linux\n\nUse the package manager to install the server.\n" },
      ]);
    },
  );

  it("reads to the end where the range is open or longer than the section", async () => {
    expect(await read({ node_ids: [`${INSTALL}#mac`], lines: "35-" })).toMatchObject([{ startLine: 35, endLine: 36 }]);
    expect(await read({ node_ids: [`${INSTALL}#mac`], lines: "35-9999" })).toMatchObject([{ endLine: 36 }]);
  });

  it("cuts a long text at the end of a line, and reading on by its own advice gives the rest exactly", async () => {
    for (const max_tokens of [300, 1000, 3000]) {
      const [whole] = await read({ node_ids: [CHANGELOG], include_descendants: true, max_tokens: 20_000 });
      let [part] = await read({ node_ids: [CHANGELOG], include_descendants: true, max_tokens });
      let text = part?.text ?? "";
      expect(part?.linesLeft).toBeGreaterThan(0);
      while (part?.nextLines !== undefined) {
        [part] = await read({ node_ids: [CHANGELOG], include_descendants: true, lines: part.nextLines, max_tokens });
        text += part?.text;
      }
      expect(text).toBe(whole?.text);
    }
  });

  it("names the call that reads on", async () => {
    const { texts } = await ask("get_node_content", { node_ids: [`${CHANGELOG}#version-3`], max_tokens: 300 });
    expect(texts[1]).toContain(`${CHANGELOG}#version-3 @6-14 of 6-68`);
    expect(texts[2]).toContain(
      `Left: lines 15-68: get_node_content({"node_ids":["${CHANGELOG}#version-3"],"lines":"15-68"})`,
    );
  });

  it("keeps short texts whole and shares the rest of the budget among long ones", async () => {
    const passages = await read({
      node_ids: [`${CHANGELOG}#version-3`, `${INSTALL}#mac`, `${CHANGELOG}#version-2`],
      max_tokens: 1000,
    });
    expect(passages.map(({ nodeId }) => nodeId)).toEqual([
      `${CHANGELOG}#version-3`,
      `${INSTALL}#mac`,
      `${CHANGELOG}#version-2`,
    ]);
    expect(passages[1]?.linesLeft).toBeUndefined();
    expect(passages[0]?.text.length).toBeGreaterThan(500);
    expect(passages[2]?.text.length).toBeGreaterThan(500);
  });

  it("leaves out sections that others hold, and says so where they are not the same", async () => {
    const { texts } = await ask("get_node_content", {
      doc_id: INSTALL,
      node_ids: ["#linux/behind-a-proxy", "#linux", "#linux", "#mac"],
      include_descendants: true,
    });
    expect(texts[0]).toBe("2 sections, 27 lines.");
    expect(texts.at(-2)).toBe(`${INSTALL}#linux/behind-a-proxy is part of ${INSTALL}#linux.`);
    expect(await read({ doc_id: INSTALL, node_ids: ["#linux/behind-a-proxy", "#linux"] })).toHaveLength(2);
  });

  it("fences a text so that nothing in it can end the fence, strips invisible characters and says so", async () => {
    const { texts } = await ask("get_node_content", { node_ids: ["docs:odd name %231 & more.md"] });
    expect(texts[1]).toMatch(/\n`{5}\n# Odd name\n[\s\S]*\n`{5}$/);
    expect(texts[1]).toContain("It holds hidden text and a fence:");
    expect(texts[2]).toContain("2 invisible or direction-changing characters removed from the text.");
    expect(texts[2]).toContain("The scan of the build warns of what is shown here: docs:odd name %231 & more.md");
  });
});
