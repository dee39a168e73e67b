import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { findChromium } from "./find-chromium.ts";
import { makeFolder } from "./temporary-folder.ts";

const BROWSER = "#!/bin/sh\necho Chromium 1";
/** As on a machine that never fetched its lists of packages: installing works only after an update. */
const APT = `#!/bin/sh
if [ "$1" = update ]; then : > "$0.lists"; exit 0; fi
if [ ! -e "$0.lists" ]; then echo "E: Unable to locate package chromium" >&2; exit 100; fi
here="\${0%/*}"
printf '#!/bin/sh\\n' > "$here/chromium"
/bin/chmod +x "$here/chromium"
`;

describe("the browser of tests", () => {
  it("is the first on PATH that tells its version", async () => {
    const [broken, good] = [
      await makePrograms({ chromium: "#!/bin/sh\nexit 1" }),
      await makePrograms({ chromium: BROWSER }),
    ];
    expect(findChromium({ PATH: `${broken}:/nowhere:${good}` })).toBe(join(good, "chromium"));
  });

  it("has other names on other systems", async () => {
    const folder = await makePrograms({ "google-chrome": BROWSER });
    expect(findChromium({ PATH: folder })).toBe(join(folder, "google-chrome"));
  });

  it("is installed where there is none, with fresh lists of packages if need be", async () => {
    quiet();
    const folder = await makePrograms({ "apt-get": APT });
    expect(findChromium({ PATH: folder })).toBe(join(folder, "chromium"));
  });

  it("is missed in words, with those of the package manager", async () => {
    quiet();
    const folder = await makePrograms({ "apt-get": "#!/bin/sh\necho 'E: are you root?' >&2; exit 100" });
    expect(() => findChromium({ PATH: folder })).toThrow(/put one of chromium, .* on PATH:\nE: are you root\?$/);
  });

  it("is missed in words where there is no package manager", async () => {
    quiet();
    expect(() => findChromium({ PATH: "/nowhere" })).toThrow(/there is no Chromium.*\n.*apt-get ENOENT/);
  });
});

/** What is said while something is installed is not of the test's. */
function quiet(): void {
  const spy = vi.spyOn(console, "error").mockReturnValue(undefined);
  onTestFinished(() => spy.mockRestore());
}

async function makePrograms(programs: Readonly<Record<string, string>>): Promise<string> {
  const folder = await makeFolder();
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}
