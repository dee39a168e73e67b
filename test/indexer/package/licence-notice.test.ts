import { join } from "node:path";
import { expect, it } from "vitest";
import { packageFolders, writeNotice } from "../../../indexer/package/write-package.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

it("gives each package once, with its licence, and refuses one that has none", async () => {
  const root = await makeFolder({
    "node_modules/b/package.json": '{ "name": "b", "version": "1.0.0", "license": "MIT" }',
    "node_modules/b/LICENCE.md": "Take it.\r\n\r\nWith care.\n",
    "node_modules/@s/a/package.json": '{ "name": "@s/a", "version": "2.0.0", "license": "ISC" }',
    "node_modules/c/package.json": '{ "name": "c", "version": "3.0.0" }',
  });
  const at = (path: string): string => join(root, path).replaceAll("\\", "/");
  const paths = ["node_modules/b/x.js", "node_modules/b/y/z.js", "src/worker/worker.ts", "node_modules/@s/a/i.js"].map(
    at,
  );
  expect(writeNotice("# Bundled\n", packageFolders(paths))).toBe(
    "# Bundled\n\n## @s/a 2.0.0 (ISC)\n\n## b 1.0.0 (MIT)\n\n    Take it.\n\n    With care.\n",
  );
  expect(() => writeNotice("", packageFolders([at("node_modules/c/x.js")]))).toThrow("c says nothing");
});
