/** The version of an installed package. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { readInstalledVersion } from "../../../indexer/base/installation.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

it("is what its manifest says, and an error that names the file where it says none", async () => {
  const dir = await makeFolder({ "a.json": '{"version": "1.2.3"}', "b.json": '{"version": 3}', "c.json": "null" });
  expect(readInstalledVersion(join(dir, "a.json"))).toBe("1.2.3");
  for (const name of ["b.json", "c.json"]) {
    expect(() => readInstalledVersion(join(dir, name))).toThrow(`${join(dir, name)} names no version`);
  }
});
