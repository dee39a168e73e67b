/** Sphinx with the theme Furo: tutorial, library and guides of Python. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../../test/support/temporary-folder.ts";
import { listFiles, type Site } from "../site.ts";

const PARTS = ["tutorial", "library", "howto", "faq", "using"];

/** The site. */
export const sphinx: Site = {
  name: "sphinx",
  about: "Sphinx, Furo",
  pages: { debian: ["python3.11-doc"] },
  debian: ["python3-sphinx", "furo"],
  async write(source, folder, script) {
    const pages = join(source, "usr/share/doc/python3.11/html/_sources");
    for (const path of await listFiles(pages, ".rst.txt")) {
      if (!PARTS.includes(path.split("/")[0] ?? "")) continue;
      await cp(join(pages, path), join(folder, "source", path.replace(/\.txt$/, "")), { recursive: true });
    }
    await writeFiles(folder, {
      "source/index.rst": `Python\n======\n\n.. toctree::\n   :maxdepth: 2\n\n${PARTS.map((part) => `   ${part}/index\n`).join("")}`,
      "source/conf.py": CONFIGURATION.replace("SCRIPT", script),
    });
  },
  build: ["sphinx-build", "-Q", "-j", "2", "-b", "html", "source", "html"],
  output: "html",
  base: "/",
  visit: {
    start: "tutorial/index.html",
    query: "list comprehensions",
    page: "tutorial/datastructures.html",
    // The scripts and dark colours of the theme do not work as Debian packs it.
  },
};

/** Directives and roles of Python's own extension, as far as readers see them. */
const CONFIGURATION = `from docutils import nodes
from docutils.parsers.rst import Directive, directives

project = "Python"
language = "en"
html_theme = "furo"
html_js_files = [("SCRIPT", {"type": "module"})]
html_copy_source = False
highlight_language = "python3"


class Content(Directive):
    has_content = True
    optional_arguments = 100
    option_spec = {"noindex": directives.flag, "platform": directives.unchanged}

    def run(self):
        box = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, box)
        return [box]


def plain(name, rawtext, text, lineno, inliner, options=None, content=None):
    return [nodes.literal(rawtext, text)], []


def setup(app):
    for name in ["audit-event", "audit-event-table", "impl-detail", "availability", "deprecated-removed", "opcode", "pdbcommand", "2to3fixer", "miscnews", "coroutinefunction", "coroutinemethod", "awaitablefunction", "awaitablemethod", "abstractmethod", "doctest"]:
        app.add_directive(name, Content)
    for name in ["issue", "source", "gh", "2to3fixer", "opcode", "pdbcmd"]:
        app.add_role(name, plain)
`;
