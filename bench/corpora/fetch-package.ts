/**
 * A package of the npm registry in a folder, by `npm pack` and `tar`: unpacked, nothing of it run or installed.
 */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeWholeFolder } from "../whole-folder.ts";

const runFile = promisify(execFile);

/** Folder with the content of `name@version`; fetched into `folder` unless it is there from an earlier run. */
export async function fetchPackage(name: string, version: string, folder: string): Promise<string> {
  const place = join(folder, `${name.replace("@", "").replaceAll("/", "-")}-${version}`);
  await writeWholeFolder(place, async (partial) => {
    const packing = ["pack", "--silent", "--ignore-scripts", "--pack-destination", partial, `${name}@${version}`];
    const packed = await runFile("npm", packing);
    const archive = join(partial, packed.stdout.trim().split("\n").at(-1) ?? "");
    // Every archive of the registry has one folder on top, most often `package`.
    await runFile("tar", ["-xzf", archive, "-C", partial, "--strip-components=1"]);
    rmSync(archive);
  });
  return place;
}
