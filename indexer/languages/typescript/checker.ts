/**
 * Process of TypeScript's checker: says what names in files mean, as the seam for compilers asks it.
 *
 * It computes no diagnostics, runs no code of the project and no plugins, and reads beside the indexed files what these
 * import from installed packages. A process and not a thread: one whose heap is full ends alone.
 */
import { hash } from "node:crypto";
import { dirname, join, posix, relative } from "node:path";
import process from "node:process";
import picomatch from "picomatch";
import ts from "typescript";
import type { CheckedFacts, CheckerAnswer, CheckerRequest, CodeWorld, LinkFile } from "../base/language.ts";
import { createWorld } from "../base/world.ts";
import { askFile, createKeys, shapeOf } from "./checker-facts.ts";
import { TYPESCRIPT } from "./typescript.ts";

type Setup = Extract<CheckerRequest, { readonly dir: string }>;
type Question = Extract<CheckerRequest, { readonly ask: readonly string[] }>;

/** What a question needs, made by the first message. */
interface Session {
  readonly plans: readonly ProgramPlan[];
  readonly createProgram: ReturnType<typeof createPrograms>;
  readonly pathOf: ReadonlyMap<string, string>;
  readonly idOf: ReadonlyMap<string, string>;
}

let session: Session | undefined;

process.on("disconnect", () => process.exit());

process.on("message", (request: CheckerRequest) => {
  void answer(request);
});

async function answer(request: CheckerRequest): Promise<void> {
  if ("dir" in request) {
    session = open(request);
    const { plans, idOf } = session;
    await say({ programs: plans.map(({ files }) => files.map((file) => idOf.get(file) as string)) });
  } else if (session !== undefined) await ask(session, request);
}

/** Resolves when the message has left, so that a heap that fills up later takes no answer along. */
function say(answer: CheckerAnswer): Promise<void> {
  return new Promise((resolve) => process.send?.(answer, () => resolve()));
}

function open({ dir, files, manifests }: Setup): Session {
  const pathOf = new Map(files.map(({ id, place }) => [id, join(dir, place)]));
  const idOf = new Map([...pathOf].map(([id, path]) => [path, id]));
  const resolve = createResolver(dir, files, manifests);
  return {
    plans: planPrograms(dir, [...pathOf.values()].sort()),
    createProgram: createPrograms((file) => idOf.has(file), resolve),
    pathOf,
    idOf,
  };
}

/** Resolves imports as linking does: packages of a workspace that is not installed lead to their sources. */
function createResolver(dir: string, files: Setup["files"], manifests: Setup["manifests"]) {
  const world: CodeWorld = createWorld(
    files.map(({ id, place }) => ({ id, path: place, collection: "", hash: "", code: EMPTY, sectionOf: () => 0 })),
    () => TYPESCRIPT.family,
  );
  const numbers = new Map(world.places.map((place, file) => [place, file]));
  const linking = { world, manifests: { ...manifests, diagnostics: [] }, spaces: {} as never };
  const { resolve } = TYPESCRIPT.family.createModules(linking);
  return (file: string, name: string): string | undefined => {
    const from = numbers.get(relative(dir, file));
    const found = from === undefined ? -1 : world.asFile(resolve(from, name));
    return found < 0 ? undefined : join(dir, world.places[found] as string);
  };
}

const EMPTY: LinkFile["code"] = {
  ...{ language: "", namespace: "", doc: "" },
  ...{ symbols: [], imports: [], uses: [], errors: 0, diagnostics: [] },
};

async function ask(
  { plans, createProgram, pathOf, idOf }: Session,
  { program: number, roots, others, ask }: Question,
): Promise<void> {
  const toPath = (id: string): string => pathOf.get(id) as string;
  /** What an error says can hold paths of this machine. */
  const failed = (error: unknown): Pick<CheckedFacts, "failed"> => ({
    failed: `failed with ${error instanceof Error ? error.name : "a value"}`,
  });
  const unread = { shape: "", imports: [], isGlobal: false };
  try {
    const { program, importsOf } = createProgram(plans[number] as ProgramPlan, [...roots.map(toPath), ...others]);
    const asked = {
      checker: program.getTypeChecker(),
      keysIn: createKeys(({ fileName }) => idOf.get(fileName)),
    };
    for (const id of ask) {
      const source = program.getSourceFile(toPath(id));
      if (source === undefined) {
        await say({ id, ...unread, failed: "could not take it in" });
        continue;
      }
      const imports = importsOf(source).flatMap((path) => idOf.get(path) ?? []);
      const about = { id, imports, isGlobal: isGlobalFile(source) };
      try {
        await say({ ...about, facts: askFile(asked, source), shape: hash("sha1", shapeOf(asked, source)) });
      } catch (error) {
        await say({ ...about, ...failed(error), shape: hash("sha1", source.text) });
      }
    }
    const outside = program.getSourceFiles().filter(({ fileName }) => !idOf.has(fileName));
    const globals = outside.filter((source) => isGlobalFile(source) && !program.isSourceFileDefaultLibrary(source));
    await say({ outside: outside.map(({ fileName }) => fileName), globals: globals.map(({ fileName }) => fileName) });
  } catch (error) {
    for (const id of ask) await say({ id, ...unread, ...failed(error) });
    await say({ outside: [], globals: [] });
  }
}

/** Whether a file declares what is seen without an import. */
function isGlobalFile(source: ts.SourceFile): boolean {
  if (!ts.isExternalModule(source)) return true;
  return source.statements.some((node) => {
    if (!ts.isModuleDeclaration(node)) return false;
    return ts.isStringLiteral(node.name) || (node.flags & ts.NodeFlags.GlobalAugmentation) !== 0;
  });
}

/** Where no configuration says otherwise. */
const DEFAULTS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.Preserve,
  strict: true,
};

/** Settings of some files, and the files. */
interface ProgramPlan {
  readonly options: ts.CompilerOptions;
  /** Absolute paths, in order. */
  readonly files: string[];
}

interface Config {
  readonly options: ts.CompilerOptions;
  readonly covers: ReadonlySet<string>;
  readonly references: readonly string[];
}

/** Groups files by the configuration that holds for each. @param dir Absolute folder above all of them. */
function planPrograms(dir: string, files: readonly string[]): ProgramPlan[] {
  const known = new Map<string, Config>();
  const host: ts.ParseConfigHost = {
    useCaseSensitiveFileNames: true,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    // A pattern may mean the world: only indexed files are there.
    readDirectory: (folder, _, excludes = [], includes = []) => {
      const [isIn, isLeftOut] = [matcherOf(includes), matcherOf(excludes)];
      return files.filter((file) => isIn(relative(folder, file)) && !isLeftOut(relative(folder, file)));
    },
  };
  const load = (file: string): Config => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const { config = {} } = ts.readConfigFile(file, ts.sys.readFile);
    const parsed = ts.parseJsonConfigFileContent(config, host, dirname(file), { allowJs: true }, file);
    const found = {
      options: cleanOptions(parsed.options),
      covers: new Set(parsed.fileNames),
      references: (parsed.projectReferences ?? []).map((one) => ts.resolveProjectReferencePath(one)),
    };
    known.set(file, found);
    return found;
  };
  const nearest = new Map<string, string | undefined>();
  const nearestOf = (folder: string): string | undefined => {
    if (nearest.has(folder)) return nearest.get(folder);
    const own = ["tsconfig.json", "jsconfig.json"].map((name) => join(folder, name)).find(ts.sys.fileExists);
    const found = own ?? (folder === dir || folder === dirname(folder) ? undefined : nearestOf(dirname(folder)));
    nearest.set(folder, found);
    return found;
  };
  /** The first configuration that has the file among its own, of one and those that it references. */
  const coveringOf = (config: string, file: string, seen: Set<string>): string | undefined => {
    if (seen.has(config) || !ts.sys.fileExists(config)) return undefined;
    seen.add(config);
    const { covers, references } = load(config);
    if (covers.has(file)) return config;
    for (const reference of references) {
      const found = coveringOf(reference, file, seen);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const plans = new Map<string | undefined, ProgramPlan>();
  for (const file of files) {
    const config = nearestOf(dirname(file));
    const used = config === undefined ? undefined : (coveringOf(config, file, new Set()) ?? config);
    const plan = plans.get(used) ?? {
      options: used === undefined ? cleanOptions(DEFAULTS) : load(used).options,
      files: [],
    };
    plan.files.push(file);
    plans.set(used, plan);
  }
  return [...plans.values()];
}

/** Whether a path is one of some that a configuration writes, or below it. */
function matcherOf(paths: readonly string[]): (path: string) => boolean {
  const globs = paths.flatMap((path) => [posix.normalize(path), posix.join(path, "**")]);
  return picomatch(globs, { dot: true });
}

/** Without a setting for JSX a program would leave out what imports of it lead to. */
function cleanOptions(options: ts.CompilerOptions): ts.CompilerOptions {
  const always = { allowJs: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true };
  return { jsx: ts.JsxEmit.Preserve, ...options, ...always, noResolve: false, maxNodeModuleJsDepth: 0 };
}

/** Makes programs that share what they read. @param resolve Finds the indexed file of an import, as linking does. */
function createPrograms(
  isIndexed: (file: string) => boolean,
  resolve: (file: string, name: string) => string | undefined,
) {
  const sources = new Map<string, ts.SourceFile>();
  const fileExists = remember((file) => isIndexed(file) || ts.sys.fileExists(file));
  const directoryExists = remember(ts.sys.directoryExists);
  return ({ options }: ProgramPlan, roots: readonly string[]) => {
    // Settings that say what is a module; declarations say so themselves.
    const settings = [options.moduleDetection, options.module, options.jsx].join();
    const resolutions = ts.createModuleResolutionCache(dirname(roots[0] ?? "/"), (name) => name, options);
    const imports = new Map<string, Set<string>>();
    const base = ts.createCompilerHost(options, false);
    const host: ts.CompilerHost = {
      ...base,
      fileExists,
      directoryExists,
      getSourceFile: (file, language) => {
        // What a build wrote beside its sources says nothing that these do not.
        if (/\.[cm]?jsx?$/.test(file) && !isIndexed(file)) return undefined;
        const how = { ...(typeof language === "object" && language), languageVersion: ts.ScriptTarget.ESNext };
        const key = `${/\.d\.[cm]?ts$/.test(file) ? "" : settings} ${how.impliedNodeFormat} ${file}`;
        const text = sources.has(key) ? undefined : ts.sys.readFile(file);
        if (text !== undefined) {
          const jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeInfo;
          const source = ts.createSourceFile(file, text, { ...how, jsDocParsingMode });
          if (!isIndexed(file) || !isTooDeep(source)) sources.set(key, source);
        }
        return sources.get(key);
      },
      resolveModuleNameLiterals: (literals, file, redirected, settingsOf, source) => {
        const own = new Set<string>();
        imports.set(file, own);
        return literals.map((literal) => {
          const mode = ts.getModeForUsageLocation(source, literal, settingsOf);
          const found = ts.resolveModuleName(literal.text, file, settingsOf, host, resolutions, redirected, mode);
          const path = found.resolvedModule?.resolvedFileName;
          const inside = path !== undefined && isIndexed(path) ? path : resolve(file, literal.text);
          if (inside === undefined) return found;
          own.add(inside);
          if (inside === path) return found;
          const extension = /\.d\.[cm]?ts$|\.\w+$/.exec(inside)?.[0] ?? "";
          return { resolvedModule: { resolvedFileName: inside, extension, isExternalLibraryImport: false } };
        });
      },
    };
    const program = ts.createProgram({ rootNames: roots, options, host });
    const importsOf = (source: ts.SourceFile): string[] => {
      const named = source.referencedFiles.map(({ fileName }) => join(dirname(source.fileName), fileName));
      return [...(imports.get(source.fileName) ?? []), ...named];
    };
    return { program, importsOf };
  };
}

/** Nodes in one another; deeper ones are more than the checker's own recursion gets through. */
const MOST_DEPTH = 1_000;

function isTooDeep(node: ts.Node, depth = 0): boolean {
  return depth > MOST_DEPTH || (ts.forEachChild(node, (child) => isTooDeep(child, depth + 1)) ?? false);
}

function remember(ask: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const before = known.get(path) ?? ask(path);
    known.set(path, before);
    return before;
  };
}
