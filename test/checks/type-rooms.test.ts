/** One tsconfig a room: nothing falls between two rooms, and the core's room really lacks every platform. */
import { globSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { compileRooms, TYPE_ROOMS } from "../support/checks.ts";
import { projectRoot } from "../support/environment.ts";
import { makeFolder } from "../support/temporary-folder.ts";

describe("the type check", () => {
  it("covers every source file in exactly one room", () => {
    const covered = TYPE_ROOMS.flatMap((room) => parseRoom(room).fileNames.map((file) => relative(projectRoot, file)));
    const written = ["src", "indexer", "test", "bench"].flatMap((folder) => findSources(folder));
    expect(covered.toSorted()).toEqual([...written, "vitest.config.ts"].toSorted());
  });

  it("says what is wrong in the files of a room, and leaves those of another to that one", async () => {
    const wrong = "export const planted: number = 'text';\n";
    const folder = await makeFolder({
      "package.json": '{ "type": "module" }',
      "room/tsconfig.json": JSON.stringify({ extends: join(projectRoot, "tsconfig.base.json"), include: ["*.ts"] }),
      "room/good.ts": 'import { planted } from "../other/wrong.ts";\nexport const kept: number = planted;\n',
      "other/wrong.ts": wrong,
    });
    const room = join(folder, "room");
    // Declared anew, what a platform has can be declared wrongly: its room sees that.
    const beside = await compileRooms([`${room}+${join(folder, "other")}`]);
    expect(beside.output).toMatch(/other\/wrong\.ts\(1,14\): error TS2322/);
    expect(await compileRooms([room])).toEqual({ exitCode: 0, output: "" });
    await writeFile(join(room, "wrong.ts"), wrong);
    const { exitCode, output } = await compileRooms([room]);
    expect(exitCode).toBe(1);
    expect(output).toMatch(/room\/wrong\.ts\(1,14\): error TS2322/);
  });

  it("uses the compiler flags of the project in every room", () => {
    for (const room of TYPE_ROOMS) {
      expect(parseRoom(room).options, room).toMatchObject({
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        verbatimModuleSyntax: true,
        erasableSyntaxOnly: true,
        noImplicitOverride: true,
        noImplicitReturns: true,
      });
    }
  });

  it.each([
    ["Buffer", `export const planted = Buffer.from("x");`],
    ["document", "export const planted = document;"],
    ["process", "export const planted = process;"],
    ["a node: module", `import { readFileSync } from "node:fs"; export const planted = readFileSync;`],
    ["timers", "export const planted = setTimeout;"],
    ["fetch", "export const planted = fetch;"],
    ["another encoding than UTF-8", `export const planted = new TextDecoder("latin1");`],
    ["an enum", "export enum Planted { A }"],
  ])("refuses %s in the core", (_name, text) => {
    expect(compileInCore(text)).not.toEqual([]);
  });

  it("accepts the UTF-8 encoder and decoder in the core", () => {
    expect(compileInCore(`export const planted = new TextDecoder().decode(new TextEncoder().encode("x"));`)).toEqual(
      [],
    );
  });
});

function parseRoom(room: string): ts.ParsedCommandLine {
  const folder = join(projectRoot, room);
  const { config, error } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
  if (error !== undefined) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, "\n"));
  return ts.parseJsonConfigFileContent(config, ts.sys, folder);
}

/** Messages of the compiler about a file with this text, as if it lay in `src/core/`. */
function compileInCore(text: string): string[] {
  const { options } = parseRoom("src/core");
  const planted = join(projectRoot, "src/core/planted.ts");
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (file) => file === planted || fileExists(file);
  host.readFile = (file) => (file === planted ? text : readFile(file));
  host.getSourceFile = (file, ...rest) =>
    file === planted ? ts.createSourceFile(file, text, rest[0]) : getSourceFile(file, ...rest);
  const program = ts.createProgram([planted, join(projectRoot, "src/core/platform.d.ts")], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

function findSources(folder: string): string[] {
  return globSync("**/*.ts", { cwd: join(projectRoot, folder) })
    .filter((file) => !/^(fixtures|golden)\//.test(file))
    .map((file) => join(folder, file));
}
