/** How well and how fast TypeScript and JavaScript are parsed, held against TypeScript's checker. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import ts from "typescript";
import type { CodeFile } from "../../indexer/languages/base/code-file.ts";
import { parseTypeScript } from "../../indexer/languages/typescript/parse.ts";
import { readTruth, type TrueFile } from "./typescript-truth.ts";

/** Files are parsed so often for the time; the least counts. */
const ROUNDS = 5;
/** Examples of each kind of difference that are shown. */
const SHOWN = 12;

interface Counts {
  files: number;
  bytes: number;
  errors: number;
  trueSymbols: number;
  symbols: number;
  found: number;
  sameKind: number;
  sameEnd: number;
  trueUses: number;
  uses: number;
  foundUses: number;
  wrongUses: number;
}

/** Counts of files below a folder, and the places of what differs by kind of difference. */
export interface Comparison {
  readonly counts: Readonly<Counts>;
  readonly differences: ReadonlyMap<string, readonly string[]>;
}

/** Parses files below a folder and compares symbols and names with the checker's. */
export function compareTypeScript(dir: string, paths: readonly string[]): Comparison {
  const counts: Counts = {
    files: 0,
    bytes: 0,
    errors: 0,
    trueSymbols: 0,
    symbols: 0,
    found: 0,
    sameKind: 0,
    sameEnd: 0,
    trueUses: 0,
    uses: 0,
    foundUses: 0,
    wrongUses: 0,
  };
  const differences = new Map<string, string[]>();
  for (const truth of readTruth(paths)) {
    const path = truth.file.fileName;
    // The program strips a byte order mark from what it reads.
    const parsed = parseTypeScript({ path, text: truth.file.text });
    const note = (what: string, offset: number, name: string): void => {
      const list = differences.get(what) ?? [];
      differences.set(what, list);
      const { line, character } = truth.file.getLineAndCharacterOfPosition(offset);
      list.push(`${relative(dir, path)}:${line + 1}:${character + 1} ${name}`);
    };
    counts.files++;
    counts.bytes += truth.file.text.length;
    if (parsed.errors > 0) counts.errors++;
    if (parsed.errors > 0) note("does not parse", 0, parsed.diagnostics[0]?.message ?? "");
    compareSymbols(truth, parsed, counts, note);
    compareUses(truth, parsed, counts, note);
  }
  return { counts, differences };
}

/** Measures files below a folder; prints the figures and examples of what differs. */
export function measureTypeScript(dir: string, paths: readonly string[]): void {
  const { counts, differences } = compareTypeScript(dir, paths);
  const share = (part: number, whole: number): string => (whole === 0 ? "-" : (part / whole).toFixed(4));
  console.log(
    `${dir}: ${counts.files} files, ${(counts.bytes / 1e6).toFixed(2)} MB, ${counts.errors} with syntax errors`,
  );
  console.log(
    `  symbols ${counts.trueSymbols}: precision ${share(counts.found, counts.symbols)} recall ${share(counts.found, counts.trueSymbols)}` +
      ` kind ${share(counts.sameKind, counts.found)} end line ${share(counts.sameEnd, counts.found)}`,
  );
  console.log(
    `  plain names ${counts.trueUses}: precision ${share(counts.uses - counts.wrongUses, counts.uses)}` +
      ` recall ${share(counts.foundUses, counts.trueUses)}`,
  );
  for (const [what, places] of differences) {
    console.log(`  ${what}: ${places.length}`);
    for (const place of spread(places)) console.log(`    ${place}`);
  }
  measureTime(paths.map((path) => [path, readFileSync(path, "utf8")] as const));
}

type Note = (what: string, offset: number, name: string) => void;

function compareSymbols(truth: TrueFile, parsed: CodeFile, counts: Counts, note: Note): void {
  const { file } = truth;
  const wanted = new Map(truth.symbols.map((symbol) => [`${symbol.at} ${symbol.name}`, symbol]));
  counts.trueSymbols += wanted.size;
  for (const symbol of parsed.symbols) {
    const at = offsetOf(file, symbol.at);
    const key = `${at} ${symbol.name}`;
    const found = wanted.get(key);
    counts.symbols++;
    if (found === undefined) {
      note("symbol too many", at, `${symbol.kind} ${symbol.name}`);
      continue;
    }
    wanted.delete(key);
    counts.found++;
    if (found.kind === symbol.kind) counts.sameKind++;
    else note("other kind", at, `${symbol.kind} ${symbol.name}, not ${found.kind}`);
    if (lineOf(file, found.end) === symbol.end.line) counts.sameEnd++;
    else note("other end", at, `${symbol.name} ends in ${symbol.end.line}, not ${lineOf(file, found.end)}`);
  }
  for (const { at, kind, name } of wanted.values()) note("symbol missed", at, `${kind} ${name}`);
}

function compareUses(truth: TrueFile, parsed: CodeFile, counts: Counts, note: Note): void {
  const { file } = truth;
  const wanted = new Map(truth.uses.map((use) => [use.at, use.targets]));
  counts.trueUses += wanted.size;
  for (const { at, target } of parsed.uses) {
    const { root, members } = target;
    if (members.length > 0 || (root.kind !== "symbol" && root.kind !== "import")) continue;
    const offset = offsetOf(file, at);
    if (truth.unsaid.has(offset)) continue;
    const place = root.kind === "symbol" ? parsed.symbols[root.symbol]?.at : parsed.imports[root.import]?.at;
    const targets = wanted.get(offset);
    counts.uses++;
    if (targets !== undefined && place !== undefined && targets.includes(offsetOf(file, place))) {
      counts.foundUses++;
      wanted.delete(offset);
    } else {
      counts.wrongUses++;
      note("name leads elsewhere", offset, file.text.slice(offset, offset + 30).split("\n")[0] ?? "");
    }
  }
  // What is imported and exported again is no use but an import that is passed on.
  for (const { kind, at } of parsed.imports) {
    if (kind === "reexports" && wanted.delete(offsetOf(file, at))) counts.foundUses++;
  }
  for (const at of wanted.keys()) note("name missed", at, file.text.slice(at, at + 30).split("\n")[0] ?? "");
}

/** CPU of the parser beside that of TypeScript's alone, over the same texts. */
function measureTime(texts: readonly (readonly [string, string])[]): void {
  const alone = (): void => {
    for (const [path, text] of texts) ts.createSourceFile(path, text, ts.ScriptTarget.ESNext);
  };
  const whole = (): void => {
    for (const [path, text] of texts) parseTypeScript({ path, text });
  };
  alone();
  whole();
  let least = Number.POSITIVE_INFINITY;
  let leastWhole = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    least = Math.min(least, cpuMs(alone));
    leastWhole = Math.min(leastWhole, cpuMs(whole));
  }
  const perSecond = (texts.length / leastWhole) * 1000;
  console.log(
    `  CPU: createSourceFile ${least.toFixed(0)} ms, with symbols and uses ${leastWhole.toFixed(0)} ms:` +
      ` ${(leastWhole / least).toFixed(2)} times, ${perSecond.toFixed(0)} files/s`,
  );
}

function cpuMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function offsetOf(file: ts.SourceFile, { line, column }: { readonly line: number; readonly column: number }): number {
  return (lineFeedStarts(file)[line - 1] ?? 0) + column - 1;
}

function lineOf(file: ts.SourceFile, offset: number): number {
  const starts = lineFeedStarts(file);
  let line = starts.length;
  while (line > 1 && (starts[line - 1] as number) > offset) line--;
  return line;
}

const STARTS = new WeakMap<ts.SourceFile, number[]>();

/** Where lines begin, as the index counts them: behind line feeds. */
function lineFeedStarts(file: ts.SourceFile): readonly number[] {
  let starts = STARTS.get(file);
  if (starts === undefined) {
    starts = [0];
    for (let at = 0; at < file.text.length; at++) if (file.text[at] === "\n") starts.push(at + 1);
    STARTS.set(file, starts);
  }
  return starts;
}

/** A few of many, spread over all of them. */
function spread(places: readonly string[]): string[] {
  const step = Math.max(1, places.length / SHOWN);
  return Array.from(
    { length: Math.min(SHOWN, places.length) },
    (_, index) => places[Math.floor(index * step)] as string,
  );
}
