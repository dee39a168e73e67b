/** What the tools over the graph say of files that sources import and that are no source code. */
import { expect, it } from "vitest";
import { serveFiles } from "../../support/serve-files.ts";

const { ask } = await serveFiles({
  "src/lib/a.ts": 'import "./style.css";\nimport data from "../data.json";\nexport const a = data;\n',
  "src/main.ts":
    'import {\n  one,\n} from "./data.json";\nimport url from "./lib/style.css?url";\nexport const b = [one, url];\n',
  "src/other.ts": '// see "./lib/none.css"\nexport const c = "./style.css";\n',
  "src/lib/style.css": "body {}\n",
  "src/data.json": "{}\n",
});

it.each([
  ["code:src/lib/style.css", "code:src/lib/style.css", "src/lib/a.ts, src/main.ts"],
  ["src/lib/style.css", "code:src/lib/style.css", "src/lib/a.ts, src/main.ts"],
  ["src/data.json", "code:src/data.json", "src/lib/a.ts, src/main.ts"],
])("%s is told to be imported, and by which files", async (target, id, importers) => {
  for (const tool of ["get_dependencies", "analyze_impact"]) {
    const { isError, text } = await ask(tool, { target });
    expect(isError).toBe(true);
    expect(text).toContain(
      `"${id}" is an imported asset and no source file: nothing of it is read. It is imported by ${importers}.`,
    );
    expect(text).toContain(`Example: ${tool}({"target":"code:src/lib/a.ts"})`);
  }
});

it.each(["src/style.css", "src/lib/none.css", "none.css"])("%s, which nothing imports, is not", async (target) => {
  expect((await ask("analyze_impact", { target })).text).toContain("There is no source file, package or symbol");
});
