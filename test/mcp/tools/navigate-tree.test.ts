import { describe, expect, it } from "vitest";
import { ask, askJson } from "./handbook.ts";

const INSTALL = "docs:guide/install.md";

async function around(node_id: string, direction: string): Promise<string[]> {
  const { sections, documents } = await askJson("navigate_tree", { node_id, direction });
  return [
    ...(sections as { nodeId: string }[]).map(({ nodeId }) => nodeId),
    ...(documents as { id: string }[]).map(({ id }) => id),
  ];
}

describe("navigate_tree", () => {
  it("gives the text of a section and all below it, under the list of its sections", async () => {
    const { texts } = await ask("navigate_tree", { node_id: `${INSTALL}#linux` });
    expect(texts[1]).toMatch(/^@10-19 #linux Linux \(17 words\)\n@20-23 #linux\/behind-a-proxy/);
    expect(texts[1]).toContain(`${INSTALL}#linux @10-32 Install Lantern > Linux`);
    expect(texts[1]).toContain("ExecStart=/usr/bin/lantern");
    const { sections, content } = await askJson("navigate_tree", { node_id: `${INSTALL}#linux`, direction: "subtree" });
    expect(sections).toHaveLength(3);
    expect(content).toMatchObject({ startLine: 10, endLine: 32, text: expect.stringMatching(/^## Linux\n/) });
  });

  it("shortens the list before the text where little fits", async () => {
    const { texts } = await ask("navigate_tree", { node_id: "docs:reference/cli.md", max_tokens: 450 });
    expect(texts[1]).toContain("#start start");
    expect(texts[1]).not.toContain("#start/options Options");
    expect(texts[1]).toContain("The program `lantern` has four commands.");
    expect(texts.at(-2)).toMatch(
      /get_node_content\(\{"node_ids":\["docs:reference\/cli\.md"\],"include_descendants":true/,
    );
  });

  it("knows parent, siblings, next and previous in reading order", async () => {
    expect(await around(`${INSTALL}#linux/behind-a-proxy`, "parent")).toEqual([`${INSTALL}#linux`]);
    expect(await around(`${INSTALL}#linux`, "siblings")).toEqual([`${INSTALL}#mac`, `${INSTALL}#mac~2`]);
    expect(await around(`${INSTALL}#linux`, "next")).toEqual([`${INSTALL}#linux/behind-a-proxy`]);
    expect(await around(`${INSTALL}#mac`, "previous")).toEqual([`${INSTALL}#linux/as-a-service`]);
  });

  it("goes on to the documents of the folder where a document ends or stands alone", async () => {
    expect(await around(INSTALL, "siblings")).toEqual(["docs:guide/configure.md"]);
    expect(await around(INSTALL, "previous")).toEqual(["docs:guide/configure.md"]);
    expect(await around("docs:guide/configure.md#limits", "next")).toEqual([INSTALL]);
    expect((await ask("navigate_tree", { node_id: `${INSTALL}#mac~2`, direction: "next" })).texts[0]).toBe(
      `${INSTALL}#mac~2 is the last section of its document; no document of its folder is next.`,
    );
    expect((await ask("navigate_tree", { node_id: INSTALL, direction: "parent" })).texts[0]).toBe(
      `${INSTALL} is a whole document; nothing stands above it.`,
    );
  });

  it("follows links out of a section and all below it: to sections, to other sites, to nowhere", async () => {
    const { texts } = await ask("navigate_tree", { node_id: INSTALL, direction: "links_out" });
    expect(texts[0]).toBe(`${INSTALL} with all below it: 3 links out (1 external, 1 broken).`);
    expect(texts[1]?.split("\n")).toEqual([
      'docs:reference/requirements.md Requirements "requirements"',
      'external https://example.com/build "the build notes", in #mac~2',
      'broken ../gone.md "a page that is gone", in #mac~2',
    ]);
    const { links } = await askJson("navigate_tree", { node_id: `${INSTALL}#mac~2`, direction: "linksOut" });
    expect(links).toMatchObject([{ kind: "external" }, { kind: "broken", href: "../gone.md" }]);
  });

  it("follows links in, with the titles of where they come from", async () => {
    const { texts } = await ask("navigate_tree", { node_id: INSTALL, direction: "links_in" });
    expect(texts[1]?.split("\n")).toEqual([
      "docs:guide/configure.md#connect-a-lamp Configure Lantern > Connect a lamp, to #linux",
      "docs:index.md Lantern",
    ]);
    expect((await ask("navigate_tree", { node_id: "plain.md", direction: "links_in" })).texts[0]).toBe(
      "docs:plain.md: no links in.",
    );
  });
});
