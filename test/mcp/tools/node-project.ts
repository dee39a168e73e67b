/**
 * The tools over a project that documents about tools of this kind show: nodes of a graph, previews of code, positions, a
 * class of a library with overloads, a long function. Declarations stand on the lines that those documents say.
 */
import { join } from "node:path";
import { buildCorpus } from "../../../indexer/build/build.ts";
import { type FileContents, makeFolder, readFolder } from "../../support/temporary-folder.ts";
import { type Asking, serveIndex } from "./serve-index.ts";

/** The declaration file of a library. */
export const LIBRARY = "node_modules/@mcp/sdk/dist/mcp.d.ts";

const TYPES: Readonly<Record<string, readonly [first: number, last: number]>> = {
  FunctionNode: [54, 59],
  ClassNode: [61, 65],
  MethodNode: [67, 74],
  InterfaceNode: [76, 79],
  TypeAliasNode: [81, 84],
  VariableNode: [86, 90],
  FileNode: [92, 95],
  PropertyNode: [97, 102],
};

const FILES: FileContents = {
  "package.json": '{ "name": "ts-graph-mcp", "type": "module" }',
  "treeline.config.json": JSON.stringify({
    collections: [
      { name: "code", kind: "code", packages: { main: ["**"] } },
      { name: "library", kind: "code", include: [LIBRARY] },
    ],
  }),
  "src/db/Types.ts": onLines([
    [24, "export interface BaseNode {"],
    [26, "  readonly id: string;"],
    [51, "}"],
    ...Object.entries(TYPES).flatMap(([name, [first, last]]): Line[] => [
      [first, `export interface ${name} extends BaseNode {`],
      [last, "}"],
    ]),
  ]),
  "src/ingestion/IdGenerator.ts": onLines([
    [34, "export interface ParsedNodeId {"],
    [39, "}"],
  ]),
  "src/db/sqlite/SqliteReader.ts": onLines([
    [15, "interface NodeRow {"],
    [26, "}"],
    [30, "export function readRow(row: NodeRow): NodeRow {"],
    [31, "  return row;"],
    [32, "}"],
  ]),
  "src/tools/enrichment.ts": onLines([
    [120, "export function createCodePreview(codeSnippet: string, maxLines: number = 0): string {"],
    [121, "  return codeSnippet.slice(maxLines);"],
    [122, "}"],
    [149, "export function createSignaturePreview(codeSnippet: string, maxChars: number = 100): string {"],
    [150, "  return createCodePreview(codeSnippet, maxChars);"],
    [151, "}"],
  ]),
  "src/types/position.ts": onLines([
    [30, "export function createOneBasedPosition(line: number, character: number): OneBasedPosition {"],
    [31, "  return { line, character };"],
    [32, "}"],
    [51, "export function createZeroBasedPosition(line: number, character: number): OneBasedPosition {"],
    [52, "  return createOneBasedPosition(line - 1, character - 1);"],
    [53, "}"],
    [60, "export interface OneBasedPosition {"],
    [61, "  readonly line: number;"],
    [62, "  readonly character: number;"],
    [63, "}"],
  ]),
  "src/example.ts": onLines([
    [12, "export function myFunction(lines: readonly string[]): readonly string[] {"],
    [13, "  const visit = (line: string): string => line.trim();"],
    ...Array.from({ length: 33 }, (_, at): Line => [14 + at, `  console.log("step ${at}");`]),
    [47, "  return lines.map(visit);"],
    [48, "}"],
    [50, "function helperFunction(input: unknown[]): string[] {"],
    [51, "  return input.map((item) => String(item));"],
    [52, "}"],
  ]),
  [LIBRARY]: onLines([
    [12, "export declare class McpServer {"],
    [16, "    readonly server: unknown;"],
    [21, "    constructor(name: string);"],
    [27, "    connect(address: string): Promise<void>;"],
    [31, "    close(): Promise<void>;"],
    [71, "    tool(name: string): void;"],
    [75, "    tool(name: string, description: string): void;"],
    [76, "}"],
    [163, "export declare class ResourceTemplate {"],
    [166, "    constructor(uri: string);"],
    [181, "    uriTemplate(): string;"],
    [182, "}"],
  ]),
};

let served: Promise<Asking> | undefined;

/** The tools over the project, which is built when first asked for; inside of tests only. */
export function serveNodeProject(): Promise<Asking> {
  served ??= build();
  return served;
}

async function build(): Promise<Asking> {
  const dir = await makeFolder(FILES);
  const outDir = join(dir, ".treeline", "index");
  await buildCorpus({ dir, outDir });
  const files = [...(await readFolder(outDir))].map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
  return serveIndex(Object.fromEntries(files));
}

type Line = readonly [number: number, text: string];

/** A text with these lines, ascending, and empty ones between them. */
function onLines(lines: readonly Line[]): string {
  const texts: string[] = [];
  for (const [number, text] of lines) texts[number - 1] = text;
  return `${Array.from(texts, (text) => text ?? "").join("\n")}\n`;
}
