/** `npm run prove:grep` in small: this repository's own documentation and the search in its core, against ripgrep. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRandom } from "../../bench/random.ts";
import { compareWithRg, drawPatterns } from "../support/grep-proof.ts";
import { listFiles } from "../support/rename-proof.ts";
import { runs } from "../support/runs.ts";
import { serveFiles } from "../support/serve-folder.ts";
import { makeFolder } from "../support/temporary-folder.ts";

const hasRg = spawnSync("rg", ["--version"]).status === 0;

describe.runIf(hasRg)("grep over real files", () => {
  it("finds in each file as many lines as ripgrep", async () => {
    const dir = await makeFolder();
    for (const part of ["docs", "src/core/search", "test/core/search"])
      cpSync(part, join(dir, "docs", part), { recursive: true });
    const served = await serveFiles({}, dir);
    const files = listFiles(join(dir, "docs"), "").filter((path) => /\.(?:md|ts)$/.test(path));
    const texts = files.map((path) => readFileSync(join(dir, "docs", path), "utf8"));
    for (const drawn of drawPatterns(texts, runs(120), makeRandom(5))) {
      const compared = await compareWithRg(
        join(dir, "docs"),
        files,
        async (given) => (await served.ask("grep", given)).json,
        drawn,
      );
      expect(compared?.fault ?? "", JSON.stringify(drawn)).toBe("");
    }
  });
});
