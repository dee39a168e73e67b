/**
 * The type check of some rooms, in a process of its own: `node run-type-check.ts ROOM[+ALSO]…` prints what the compiler says and ends
 * with 1 where it says anything.
 *
 * Each room looks at its own files, with its own library: what it imports from another is looked at there. A room that a
 * platform runs names a folder `ALSO`, whose files are looked at with its library, too, where it imports them: what they
 * declare of the platform themselves has to be true of it. All rooms of a process share what was parsed.
 */
import { join, resolve } from "node:path";
import process from "node:process";
import ts from "typescript";
import { projectRoot } from "./environment.ts";

const FORMAT: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (file) => file,
  getCurrentDirectory: () => projectRoot,
  getNewLine: () => "\n",
};

/** Makes what a compiler of a room reads from disk. */
type MakeHost = (options: ts.CompilerOptions) => ts.CompilerHost;

/** Files that were parsed for one room stand there for the others, as the options that parsing heeds are the same. */
function shareFiles(): MakeHost {
  const parsed = new Map<string, ts.SourceFile | undefined>();
  return (options) => {
    const host = ts.createCompilerHost(options);
    const read = host.getSourceFile.bind(host);
    host.getSourceFile = (file, how, ...rest) => {
      const key = JSON.stringify([file, how]);
      if (!parsed.has(key)) parsed.set(key, read(file, how, ...rest));
      return parsed.get(key);
    };
    return host;
  };
}

/** What the compiler says about the files of a room, and those that it imports from the folder `also`. */
function checkRoom(room: string, also: string | undefined, makeHost: MakeHost): readonly ts.Diagnostic[] {
  const { sys } = ts;
  const config = ts.getParsedCommandLineOfConfigFile(
    join(resolve(projectRoot, room), "tsconfig.json"),
    {},
    { ...sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => report([diagnostic]) },
  );
  if (config === undefined) throw new Error(`${room} has no tsconfig.json`);
  const { fileNames: rootNames, options, errors } = config;
  const program = ts.createProgram({
    rootNames,
    options,
    host: makeHost(options),
    configFileParsingDiagnostics: errors,
  });
  const shared = also === undefined ? undefined : `${resolve(projectRoot, also)}/`;
  const files = program
    .getSourceFiles()
    .filter(({ fileName }) => rootNames.includes(fileName) || (shared && fileName.startsWith(shared)));
  return [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
}

function report(diagnostics: readonly ts.Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  process.stdout.write(ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(diagnostics), FORMAT));
  process.exitCode = 1;
}

const makeHost = shareFiles();
for (const argument of process.argv.slice(2)) {
  const [room = "", also] = argument.split("+");
  report(checkRoom(room, also, makeHost));
}
