/** Where Treeline keeps what can be made anew. */
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cacheHome } from "../../../indexer/base/installation.ts";

it("is the user's folder for caches; a setting that is empty or relative counts as none", () => {
  const usual = join(homedir(), ".cache");
  expect(cacheHome({}, "linux")).toBe(usual);
  for (const given of ["", "cache", "./cache"]) expect(cacheHome({ XDG_CACHE_HOME: given }, "linux")).toBe(usual);
  expect(cacheHome({ XDG_CACHE_HOME: "/var/cache/me" })).toBe("/var/cache/me");
  expect(cacheHome({}, "darwin")).toBe(join(homedir(), "Library", "Caches"));
  expect(cacheHome({ LOCALAPPDATA: "C:\\Users\\me\\AppData\\Local" }, "win32")).toBe("C:\\Users\\me\\AppData\\Local");
});
