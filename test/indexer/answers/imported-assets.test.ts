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
  ["code:src/lib/style.css", "src/lib/a.ts, src/main.ts, src/other.ts"],
  ["src/data.json", "src/lib/a.ts, src/main.ts"],
])("%s is told to be no source file, and which files name it", async (target, importers) => {
  for (const tool of ["get_dependencies", "analyze_impact"]) {
    const { isError, text } = await ask(tool, { target });
    expect(isError).toBe(true);
    expect(text).toContain(`"${target}" is no source file: nothing of it is read. Its name stands in ${importers}.`);
    expect(text).toContain(`Example: ${tool}({"target":"code:src/lib/a.ts"})`);
  }
});

it.each(["src/missing.css", "missing.json"])("%s, which nothing names, is not", async (target) => {
  expect((await ask("analyze_impact", { target })).text).toContain("There is no source file, package or symbol");
});
