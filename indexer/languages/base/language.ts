/**
 * Contract between a language and the rest of the indexer. Each folder of `indexer/languages` gives a {@link Language}:
 * how its files are parsed, how its imports and names lead to symbols, and which manifests its package manager has.
 *
 * A *place* is a path from the configuration's folder, with `/` between and none at the ends. `""` is that folder itself.
 */
import type { CodePosition } from "../../../src/core/format/code-model.ts";
import type { CodeLanguage } from "../../../src/core/text/code-languages.ts";
import type { CodeFile, CodeSymbol, Reference, TypeParameter } from "./code-file.ts";
import type { ManifestFormat, Manifests, ManifestText } from "./manifests.ts";
import type { LanguageRules } from "./rules.ts";

/** Everything that only one language needs. */
export interface Language {
  /** Dialects that tree-sitter parses, by their names in the core's table of languages. */
  readonly trees?: { readonly [Name in CodeLanguage]?: TreeDialect };
  /** Dialects that have a parser of their own, which is loaded when one of them occurs. */
  readonly parser?: { readonly languages: readonly CodeLanguage[]; readonly load: () => Promise<CodeParser> };
  readonly family: Family;
  /** A compiler's checker, which runs as a process of its own. */
  readonly checker?: { readonly languages: readonly CodeLanguage[]; readonly program: URL };
  readonly manifests?: readonly ManifestFormat[];
  readonly configs?: ConfigFormat;
  /** Names under which classes have their constructor, where that is not the name of the class. */
  readonly constructors?: readonly string[];
  /** Names that the language and its platforms give to every program. */
  readonly globals?: readonly string[];
  /** Name of the folder below `src/main` in which build tools expect its sources. */
  readonly sourceFolder?: string;
  /** Modules that others import packages by, in the order in which manifests name them. */
  readonly listModules?: (world: CodeWorld, manifests: Pick<Manifests, "list">) => Iterable<PackageModule>;
  /** Files that manifests name as the entries of packages and programs. */
  readonly findEntries?: (world: Pick<CodeWorld, "fileAt">, manifests: Pick<Manifests, "list">) => Iterable<number>;
}

/** A file under the name by which other packages import it: `zod/mini`. */
export interface PackageModule {
  readonly name: string;
  readonly file: number;
}

/** Parses one file. @throws {Error} where a file defeats it. */
export type CodeParser = (source: { readonly path: string; readonly text: string }) => CodeFile;

/** Grammar and rules of a dialect. */
export interface TreeDialect {
  /** Package and path in it of the grammar. */
  readonly grammar: string;
  readonly rules: LanguageRules;
  /**
   * Whether one huge function of the grammar costs V8's optimizing compiler of WebAssembly gigabytes or a second, even for a
   * script of three lines. Where such a grammar occurs, the process does without; parsing takes a quarter more CPU.
   */
  readonly isTooLargeToOptimize?: true;
  /** Fixes a fault of the grammar's WebAssembly. */
  readonly patch?: (grammar: Buffer) => Buffer;
  /** Dialect of the same file name, which only the text tells apart. */
  readonly twin?: { readonly language: CodeLanguage; readonly isMeant: (path: string, text: string) => boolean };
}

/** Languages that see each other's symbols, and how their names are linked. */
export interface Family {
  readonly name: string;
  /** Whether a module gives only what it exports; else all its names, and what it imports. */
  readonly hasExports?: true;
  /** Whether a module of a language declares its default export; elsewhere the module itself is the default. */
  readonly declaresDefault?: (language: string) => boolean;
  /** Whether sources import styles, data and pictures by path. */
  readonly importsAssets?: true;
  /** Whether relative imports begin with dots and no slash. */
  readonly hasDottedImports?: true;
  /** Whether only types can be extended, implemented and instantiated. */
  readonly hasOnlyTypesAsBases?: true;
  /** Whether objects lack the methods of their class, and the class those of its objects. */
  readonly hasSides?: true;
  /** Whether a type says that it has parts; two types of one name may differ in their type arguments. */
  readonly saysParts?: true;
  /** Kind of manifest below which every folder is a package. */
  readonly folderPackages?: string;
  /** Finds the name of an installed package in the paths of its files. */
  readonly installed?: RegExp;
  /** File that makes a folder a package. */
  readonly packageFile?: RegExp;
  /** Namespace of the symbols at the top of a file. Absent where files share none. */
  readonly spaceOf?: SpaceOf;
  /** Whether names inside of namespaces are found from outside, too. */
  readonly hasOpenSpaces?: true;
  /** Whether the constants of an enum are names of what is around it. */
  readonly hasOpenEnums?: true;
  /** Whether namespaces are folders, so that none is inside of another. */
  readonly hasFolderSpaces?: true;
  /** Types and values that the language itself gives to every program, where its types are written down as data. */
  readonly globals?: GlobalTypes;
  readonly createModules: (linking: Linking) => FamilyModules;
  readonly createNames: (linking: NameLinking) => FamilyNames;
}

/** What a language gives to every program, by name. */
export interface GlobalTypes {
  readonly types: ReadonlyMap<string, GlobalType>;
  /** Types of the values. */
  readonly values: ReadonlyMap<string, Reference>;
}

interface GlobalType {
  readonly parameters: readonly TypeParameter[];
  readonly type: Reference;
  /** Whether every value that can be gone through is of it. */
  readonly isIterated?: true;
}

/** Gives the namespace of a file, `.` between its parts. */
export type SpaceOf = (world: CodeWorld, manifests: Pick<Manifests, "list">) => (file: number) => string;

/** What resolving imports of a family is made of. */
export interface Linking {
  readonly world: CodeWorld;
  readonly manifests: Manifests;
  readonly spaces: Spaces;
}

/** What resolving names of a family is made of. */
export interface NameLinking {
  readonly world: CodeWorld;
  readonly spaces: Spaces;
  readonly bindings: Bindings;
  /** The main declaration of a symbol: itself where it is one, or stands alone. Other entities as they are. */
  readonly mainOf: (entity: Entity) => Entity;
}

/** What a specifier leads to from a file; `NOTHING` for a path at which there is no file. */
export type ResolveImport = (file: number, specifier: string) => Entity;

/** What a free name leads to from a file: one that nothing in the file declares or imports. */
export type ResolveFree = (file: number, name: string, wantType: boolean) => Entity;

export interface FamilyModules {
  /** Module of an import. Each specifier of a file is resolved once. */
  readonly resolve: ResolveImport;
  /** Symbol that declares a module outside of the corpus; `NOTHING` where none does. */
  readonly declared?: (specifier: string) => Entity;
  /** Module inside a module that is no name in its file; `NOTHING` where there is none. */
  readonly submodule?: (module: Entity, name: string) => Entity;
  /** Start of an import's path that is followed name by name. */
  readonly paths?: ModulePaths;
}

/** Imports whose paths are followed by names, as scope knows them. */
interface ModulePaths {
  /**
   * Where a path leads that begins with a keyword or a package, and how many of its parts that took; undefined for names that
   * scope has to know. `from` is the symbol of the file that the path is in, -1 at its top.
   */
  readonly start: (
    file: number,
    from: number,
    parts: readonly string[],
  ) => { readonly entity: Entity; readonly used: number } | undefined;
  /** Package outside that a path begins with; `NOTHING` for keywords. */
  readonly external: (name: string) => Entity;
}

interface FamilyNames {
  readonly resolveFree: ResolveFree;
  /** Joins declarations that are one symbol though they are apart. */
  readonly joinDeclarations?: (join: JoinDeclaration) => void;
}

/** Says that a declaration is of the same symbol as the main one. */
export type JoinDeclaration = (symbol: number, main: number) => void;

/** A source file, or another indexed file that sources import (JSON, styles): that has no symbols. */
export interface LinkFile {
  readonly collection: string;
  /** Document id. */
  readonly id: string;
  /** Path in the collection. */
  readonly path: string;
  /** Folder of the collection, relative to that of the configuration; `.` when absent. */
  readonly root?: string;
  /** 16 hexadecimal digits: content hash. */
  readonly hash: string;
  /** Its uses may be made anew each time they are asked for: those of all files are not in memory at once. */
  readonly code: CodeFile;
  /** Ordinal of the section that shows a symbol. */
  readonly sectionOf: (symbol: number) => number;
}

/**
 * One number for whatever a name can lead to, so that a million uses resolve without a million objects: a symbol (numbered
 * through all files, from 0), a file as a whole (after the symbols), or something below zero: nothing, or a name outside of
 * any file.
 */
export type Entity = number;

/** Something outside of any file. */
export type Outside =
  /** A package elsewhere: `npm:react`. */
  | { readonly kind: "external"; readonly name: string }
  /** A namespace or folder that several files share. */
  | { readonly kind: "space"; readonly key: string };

/** Names that one file declares, and the members of each of its containers. All numbers are those of the whole world. */
export interface DeclaredNames {
  readonly top: ReadonlyMap<string, readonly number[]>;
  /** By the container's number. Declarations of one name that merge share one table. */
  readonly members: ReadonlyMap<number, ReadonlyMap<string, readonly number[]>>;
}

/** All files that are linked together, with the tables that every part of linking looks things up in. */
export interface CodeWorld {
  readonly files: readonly LinkFile[];
  readonly families: readonly Family[];
  /** Path of each file from the configuration's folder: the same file system for all collections. */
  readonly places: readonly string[];
  readonly fileAt: ReadonlyMap<string, number>;
  /** Number of the first symbol of each file, and after the last the number of all symbols. */
  readonly first: Int32Array;
  readonly symbolCount: number;
  readonly isSymbol: (entity: Entity) => boolean;
  readonly codeOf: (file: number) => CodeFile;
  /** File of a symbol. */
  readonly fileOf: (symbol: number) => number;
  readonly symbol: (symbol: number) => CodeSymbol;
  readonly names: (file: number) => DeclaredNames;
  readonly fileEntity: (file: number) => Entity;
  /** File that the entity is, -1 where it is none. */
  readonly asFile: (entity: Entity) => number;
  readonly external: (name: string) => Entity;
  readonly space: (key: string) => Entity;
  /** What an entity below `NOTHING` is; undefined for others. */
  readonly outside: (entity: Entity) => Outside | undefined;
}

/** Namespaces that several files share. */
export interface Spaces {
  /** The namespace of that name; `NOTHING` where no file declares it. */
  readonly find: (family: Family, name: string) => Entity;
  /** What a namespace holds by that name: a symbol, or a namespace inside. */
  readonly member: (space: Entity, name: string, wantType: boolean) => Entity;
  /** All declarations of a name directly in a namespace. */
  readonly declarations: (space: Entity, name: string) => readonly number[];
  /** Namespace that a symbol is directly in; `NOTHING` for members and for languages without. */
  readonly ofSymbol: (symbol: number) => Entity;
  /** Files that share a namespace, in order. */
  readonly filesOf: (space: Entity) => readonly number[];
  /** Namespace that the symbols at the top of a file belong to; `NOTHING` for languages without. */
  readonly ofFile: (file: number) => Entity;
  /** What a dotted name from the outermost namespace on leads to: the longest namespace in it, then what that holds. */
  readonly walk: (family: Family, parts: readonly string[], wantType: boolean) => { entity: Entity; used: number };
}

/** What names of modules and imports lead to. */
export interface Bindings {
  /** Module that an import names: file, namespace, package outside, a class where it names one. */
  readonly moduleOf: (file: number, index: number) => Entity;
  /** What the name that an import binds leads to. */
  readonly bind: (file: number, index: number, wantType: boolean) => Entity;
  /** What a module (file or namespace) gives by that name to those who import it. */
  readonly exported: (module: Entity, name: string, wantType: boolean) => Entity;
  /** All names that a file gives so. */
  readonly namesOf: (file: number) => ModuleNames;
  /** Whether an import names a module inside of the module that it takes it from. */
  readonly bindsSubmodule: (file: number, index: number) => boolean;
  /** What a path of names leads to from inside of a symbol (-1: the file); `NOTHING` where scope does not know its first. */
  readonly walkPath: (file: number, from: number, parts: readonly string[], wantType: boolean) => Entity;
  /** What imports of everything (`from a import *`, `use a::*`, `using A`) give by that name. */
  readonly fromStars: (file: number, name: string, wantType: boolean) => Entity;
}

/** What can be imported from a module. */
interface ModuleNames {
  /** With whether an export says that only the type is given. */
  readonly names: ReadonlyMap<string, boolean>;
  /** Modules outside that it passes on with all their names. */
  readonly outside: ReadonlySet<string>;
}

/** Configuration files of a language, in JSON. */
interface ConfigFormat {
  readonly globs: readonly string[];
  readonly isConfig: (path: string) => boolean;
  /** Places of further files that some of those found name, whatever they are called. */
  readonly listFurther: (configs: readonly string[], found: ReadonlyMap<string, ManifestText>) => readonly string[];
}

/*
 * The seam for compilers: positions in, declarations out. What a compiler knows of a file are its definitions and its references, each
 * with its place; and what the process of a checker is asked and answers.
 */

/** A definition; `end` is the place after its name. An empty range at the start of a file is that of the file itself. */
export interface PreciseDefinition {
  readonly symbol: string;
  readonly start: CodePosition;
  readonly end: CodePosition;
}

/** A place that names a symbol. */
export interface PreciseReference {
  readonly symbol: string;
  readonly at: CodePosition;
  readonly isWrite: boolean;
  /** Side of a short form (`{ open }`) that the symbol is. */
  readonly short?: "key" | "value";
}

/** Facts of a compiler about one file. Symbols have whatever names the compiler gives them. */
export interface PreciseDocument {
  /** Document id. */
  readonly id: string;
  readonly definitions: readonly PreciseDefinition[];
  readonly references: readonly PreciseReference[];
  /** Symbols with those that they implement or override. */
  readonly implementations: readonly { readonly symbol: string; readonly of: readonly string[] }[];
}

/** What compilers know of source files. */
export interface PreciseFacts {
  readonly documents: readonly PreciseDocument[];
  /** Symbols of which nothing is known, though they are of the corpus. */
  readonly leftOut: ReadonlySet<string>;
}

/** What the process of a checker is asked. The first message tells it the files, each other one asks about some. */
export type CheckerRequest =
  | {
      /** Absolute path of the configuration's folder. */
      readonly dir: string;
      /** Document id and place of each. */
      readonly files: readonly { readonly id: string; readonly place: string }[];
      readonly manifests: Pick<Manifests, "list" | "configs">;
    }
  /** `roots`: ids of files that the program consists of, and paths of others. */
  | {
      readonly program: number;
      readonly roots: readonly string[];
      readonly others: readonly string[];
      readonly ask: readonly string[];
    };

/** What the process of a checker says: the files of each program, then the facts of each file that was asked for. */
export type CheckerAnswer =
  | { readonly programs: readonly (readonly string[])[] }
  | (CheckedFacts & { readonly id: string })
  /** All files were answered. Paths of files outside of the index that the program read, and which of them are global. */
  | { readonly outside: readonly string[]; readonly globals: readonly string[] };

/** Facts of a file, and what they depend on. */
export interface CheckedFacts {
  /** Left out where the checker failed. */
  readonly facts?: Omit<PreciseDocument, "id">;
  /** Why the checker failed. */
  readonly failed?: string;
  /** Whether it would not on another day, or another machine. */
  readonly isLost?: true;
  /** Digest of all that other files can see of it. */
  readonly shape: string;
  /** Ids of the files that it imports. */
  readonly imports: readonly string[];
  /** Whether it declares what is seen without an import. */
  readonly isGlobal: boolean;
}
