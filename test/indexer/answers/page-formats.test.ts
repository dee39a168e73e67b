/** Pages of every format are found, read, grepped and navigated alike, through the tools. */
import { expect, it } from "vitest";
import { serveFiles } from "../../support/serve-folder.ts";

const RST =
  "=======\nInstall\n=======\n\nThe :term:`installer` keeps wombats.\n\n.. _from-source:\n\nFrom source\n-----------\n\n.. code-block:: bash\n\n   make capybara\n\nSee :ref:`knobs` and :doc:`use`.\n";
const FILES = {
  "guide/install.rst": RST,
  "guide/use.rst": "Use\n===\n\n.. _knobs:\n\nKnobs\n-----\n\nBack to :ref:`the source <from-source>`.\n",
  "more/page.adoc": "= Asciidoc page\n\n== Numbats here\n\nxref:../guide/install.rst#from-source[source]\n",
  "notes.txt": "Field notes\n\nOn quokkas.\n",
  "study.ipynb": JSON.stringify({
    nbformat: 4,
    metadata: { kernelspec: { language: "python" } },
    cells: [
      { cell_type: "markdown", source: ["# Study\n", "\n", "Of pandas."] },
      { cell_type: "code", source: "count = 1", outputs: [{ text: "secretoutput" }] },
    ],
  }),
  "old.ipynb": '{"nbformat": 3}',
  "left.org": "* Not read\n",
};

it("finds, reads, greps and navigates them", async () => {
  const { ask } = await serveFiles(FILES);
  const found = async (query: string) => JSON.stringify((await ask("search_documents", { query })).json);
  for (const [query, path] of Object.entries({
    wombats: "guide/install.rst",
    numbats: "more/page.adoc",
    quokkas: "notes.txt",
    pandas: "study.ipynb",
  })) {
    expect(await found(query)).toContain(path);
  }
  expect(await found("secretoutput")).not.toContain("study.ipynb");

  const nodes = ["docs:guide/install.rst", "docs:guide/install.rst#from-source"];
  const { json } = await ask("get_node_content", { node_ids: nodes });
  const sections = json["sections"] as readonly { readonly text: string }[];
  expect(sections.map(({ text }) => text).join("")).toBe(RST);
  const read = await ask("read", { targets: ["docs:guide/install.rst#from-source"], format: "text" });
  expect(read.text).toContain("install.rst:9-16");
  expect(read.text).toContain("make capybara");
  const grep = await ask("grep_documents", { pattern: "make capybara", format: "text" });
  expect(grep.text).toMatch(/install\.rst[\s\S]*\b13\b/);
  const tree = await ask("get_tree", { node_id: "docs:guide/install.rst" });
  expect(tree.json["sections"]).toMatchObject([{ title: "Install" }, { nodeId: nodes[1], startLine: 9, linksOut: 2 }]);
  const links = await ask("navigate_tree", { node_id: nodes[1], direction: "links_out" });
  expect(links.text).toContain("docs:guide/use.rst#knobs");
  const back = await ask("navigate_tree", { node_id: nodes[1], direction: "links_in" });
  expect(back.text).toContain("docs:guide/use.rst#knobs");
  expect(back.text).toContain("docs:more/page.adoc#numbats-here");
});
