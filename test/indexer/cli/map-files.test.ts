import { execFileSync } from "node:child_process";
import { lstat, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkCommand } from "../../../indexer/cli/commands/status.ts";
import { MAP_FILE, writeMaps } from "../../../indexer/cli/map-files.ts";
import { buildCorpus } from "../../../indexer/index/build.ts";
import { decodeSource, findSection, putSection } from "../../../indexer/sources/read-file.ts";
import { runCommands } from "../../support/list-command.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

/** A page as it is indexed. */
function withoutSection(text: string): string {
  const source = decodeSource("a.md", new TextEncoder().encode(text));
  return source.ok ? source.text : "";
}

/** A folder with an index of two pages. */
async function buildSmall(): Promise<{ dir: string; outDir: string }> {
  const dir = await makeFolder({
    "docs/a.md": "# Alpha\n\nText.\n",
    "docs/b.md": "# Beta\n\nText with [a link](a.md).\n",
  });
  const outDir = join(dir, "index");
  await buildCorpus({ dir: join(dir, "docs"), outDir });
  return { dir, outDir };
}

/** What `treeline check` prints and gives. */
async function check(...words: string[]): Promise<{ code: number; out: string; warnings: string }> {
  const { code, out, err } = await runCommands([checkCommand], ["check", ...words]);
  return { code, out, warnings: err };
}

describe("a section of a file", () => {
  it("is replaced where it stands, and nothing around it changes", () => {
    const anyLines = fc.array(fc.stringMatching(/^[ -;=-~ü]{0,30}$/), { maxLength: 5 });
    fc.assert(
      fc.property(anyLines, anyLines, anyLines, anyLines, (before, old, now, behind) => {
        const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
        const first = putSection("", text(old), "AGENTS.md");
        const around = `${text(before)}${first}${text(behind)}`;
        const after = putSection(around, text(now), "AGENTS.md");
        expect(after).toBe(`${text(before)}${putSection("", text(now), "AGENTS.md")}${text(behind)}`);
        expect(putSection(after, text(now), "AGENTS.md")).toBe(after);
        expect(findSection(after, "AGENTS.md")).toContain(text(now));
        const bare = withoutSection(after);
        const isLast = text(behind).trim() === "";
        if (!isLast) expect(bare.split("\n")).toHaveLength(after.split("\n").length);
        expect(bare.replace(/\n+/g, "\n").trim()).toBe(`${text(before)}${text(behind)}`.replace(/\n+/g, "\n").trim());
      }),
    );
  });

  it("is begun at the end of a file, with the file's line ends", () => {
    expect(putSection("# Rules\r\n\r\nBe kind.\r\n", "map\n", "AGENTS.md")).toBe(
      "# Rules\r\n\r\nBe kind.\r\n\r\n<!-- treeline:begin -->\r\nmap\r\n<!-- treeline:end -->\r\n",
    );
  });

  it("is no part of the next index: building again changes nothing", async () => {
    const dir = await makeFolder({ "a.md": "# Alpha\n\nText.\n", "src/a.ts": "export const a = 1;\n" });
    const file = join(dir, "AGENTS.md");
    await writeFile(file, "# Rules\n\nBe kind.\n");
    const generations: string[] = [];
    for (let run = 0; run < 3; run++) {
      const { generation } = await buildCorpus({ dir, outDir: join(dir, ".treeline", "index") });
      await writeMaps(join(dir, ".treeline", "index"), file);
      generations.push(generation);
    }
    expect(new Set(generations).size).toBe(1);
    expect(await readFile(file, "utf8")).toContain("docs:AGENTS.md");
  });

  it("is none where a line only names its marks", () => {
    const page = "Between `<!-- treeline:begin -->` and `<!-- treeline:end -->` is the map.\n";
    expect(withoutSection(page)).toBe(page);
  });

  it("in a file that cannot be written is an error in words", async () => {
    const { dir, outDir } = await buildSmall();
    await expect(writeMaps(outDir, join(dir, "nowhere", "AGENTS.md"))).rejects.toThrow("cannot be written");
    await expect(writeMaps(outDir, dir)).rejects.toThrow(/cannot be (?:read|written)/);
  });

  it("keeps links and what is no file where they are", async () => {
    const { dir, outDir } = await buildSmall();
    await writeFile(join(dir, "CLAUDE.md"), "# Notes\n");
    await symlink("CLAUDE.md", join(dir, "AGENTS.md"));
    await writeMaps(outDir, join(dir, "AGENTS.md"));
    expect((await lstat(join(dir, "AGENTS.md"))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(dir, "CLAUDE.md"), "utf8")).toContain("treeline:begin");
    execFileSync("mkfifo", [join(dir, "pipe")]);
    await expect(writeMaps(outDir, join(dir, "pipe"))).rejects.toThrow("it is no file");
    expect((await lstat(join(dir, "pipe"))).isFIFO()).toBe(true);
  });

  it("with half of its marks is an error, and the file stays as it is", async () => {
    const { dir, outDir } = await buildSmall();
    const file = join(dir, "AGENTS.md");
    for (const text of [
      "<!-- treeline:begin -->\nmap\n",
      "<!-- treeline:end -->\n",
      "<!-- treeline:end --> <!-- treeline:begin -->",
    ]) {
      await writeFile(file, text);
      await expect(writeMaps(outDir, file)).rejects.toThrow("AGENTS.md must hold <!-- treeline:begin --> and");
      expect(await readFile(file, "utf8")).toBe(text);
    }
  });
});

describe("check", () => {
  it("finds every id of maps that were just written, and those that are gone since", async () => {
    const { dir, outDir } = await buildSmall();
    const file = join(dir, "AGENTS.md");
    await writeFile(file, "# Mine\n");
    await writeMaps(outDir, file);
    await writeMaps(outDir, file);
    expect(await readFile(file, "utf8")).toMatch(
      /^# Mine\n\n<!-- treeline:begin -->\n# docs\n[\s\S]*<!-- treeline:end -->\n$/,
    );
    expect(await check("--index", outDir, file)).toMatchObject({ code: 0, warnings: "" });
    const json = JSON.parse((await check("--index", outDir, "--json", file)).out);
    expect(json).toEqual({
      ok: true,
      damaged: [],
      failingOn: [],
      maps: [MAP_FILE, file].map((name) => ({ file: name === file ? file : join(outDir, MAP_FILE), ids: 2, dead: [] })),
      errors: 0,
      warnings: 0,
    });
    await writeFile(file, (await readFile(file, "utf8")).replace("docs:b.md", "docs:gone.md"));
    const late = await check("--index", outDir, file);
    expect(late).toMatchObject({ code: 1 });
    expect(late.warnings).toContain("docs:gone.md names nothing in the index");
  });

  it("finds files that are damaged or missing", async () => {
    const { outDir } = await buildSmall();
    const [pack = ""] = (await readdir(outDir)).filter((name) => name.endsWith(".pack"));
    const bytes = await readFile(join(outDir, pack));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
    await writeFile(join(outDir, pack), bytes);
    expect(await check("--index", outDir)).toMatchObject({
      code: 1,
      warnings: `${pack} does not hold what its name says`,
    });
  });

  it("says which file holds no map, or is not there", async () => {
    const { dir, outDir } = await buildSmall();
    const file = join(dir, "README.md");
    await writeFile(file, "# Readme\n");
    expect(await check("--index", outDir, file)).toMatchObject({
      code: 2,
      warnings: expect.stringContaining("holds no map"),
    });
    expect(await check("--index", outDir, `${file}.gone`)).toMatchObject({
      code: 2,
      warnings: expect.stringContaining("there is no file"),
    });
  });
});
