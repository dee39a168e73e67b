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

it.each(["code:src/lib/style.css", "src/data.json", "src/missing.css"])(
  "%s is told to be no source file",
  async (target) => {
    for (const tool of ["get_dependencies", "analyze_impact"]) {
      const { isError, text } = await ask(tool, { target });
      expect(isError).toBe(true);
      expect(text).toContain(`"${target}" is no source file: nothing of it is read.`);
    }
  },
);

it("a name without such an ending is not", async () => {
  expect((await ask("analyze_impact", { target: "missing" })).text).toContain(
    "There is no source file, package or symbol",
  );
});
