/**
 * Terms that a command of the configuration adds to sections: what readers ask with and the page does not say, as a model or a list of
 * words knows it. The command gets sections as JSON lines and answers in JSON lines; `docs/configuration.md` says how.
 *
 * Answers are kept by the content of sections, so that one that did not change is not asked about again. Whatever the command does,
 * the build goes on: each kind of fault is one finding. The terms are postings like others: of the first unit of their section, never
 * in its text, so nothing shows them.
 */
import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { ByteWriter } from "../../src/core/bytes/writer.ts";
import { makeDocumentId } from "../../src/core/docs/node-id.ts";
import {
  FIRST_TEXT_UNIT,
  type PostingList,
  type UnitPosting,
  visitUnits,
  writeUnits,
} from "../../src/core/format/postings.ts";
import { decodeBlock, sealBlock } from "../../src/core/format/text-block.ts";
import { isRecord, parseJson } from "../../src/core/parse-text.ts";
import { readSynonymPhrase } from "../../src/core/text/analyze-query.ts";
import { analyzerOf } from "../../src/core/text/analyzers.ts";
import type { Language } from "../../src/core/text/language.ts";
import type { CollectionConfig, TreelineConfig } from "../config/config.ts";
import type { BuildLog } from "./build-log.ts";
import type { DocumentCache } from "./cache/document-cache.ts";
import { type LoadedDocument, withBody } from "./load-documents.ts";
import { type DocumentBody, sectionIds } from "./prepared-document.ts";

const CACHE_FILE = "expand.cache";
/** A term counts as if the section said it so often; one that weighs less than the half of once is left out. */
const WEIGHTS = { least: 0.5, most: 2 };
/** As lists say it of a document whose units they do not keep. */
const NO_UNITS = -1;
const MAX_TERM_CHARACTERS = 100;
/** A longer line is no answer for one section. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** Terms of a section that are kept, the heaviest first; several may be one word. */
const MAX_KEPT_TERMS = 128;
const SHOWN_CHARACTERS = 100;

/** Terms with their weights, as the command gave them. */
type Terms = readonly (readonly [term: string, weight: number])[];

interface AskedSection {
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

/** Faults of a command: what happened, how often, and the first example. */
type Faults = Map<string, { count: number; readonly example: string }>;

/** `isIncomplete`: the command gave no whole answer, so another build may have more. */
interface Expanded extends Pick<BuildLog, "diagnostics"> {
  readonly documents: readonly LoadedDocument[];
  readonly isIncomplete: boolean;
}

/** Documents with the terms that the command gives their sections, where it may run. Source files stay as they are. */
export async function expandDocuments(
  documents: readonly LoadedDocument[],
  dir: string,
  { collections, expand, commandsAllowed }: Pick<TreelineConfig, "collections" | "expand" | "commandsAllowed">,
  cache: DocumentCache,
): Promise<Expanded> {
  const name = collections[0]?.name ?? "";
  if (commandsAllowed !== true) {
    const about = "was not run: --allow-commands or TREELINE_ALLOW_COMMANDS=1 lets commands of the configuration run";
    return { documents, diagnostics: [finding("warning", "command-not-allowed", about, name)], isIncomplete: false };
  }
  const command = hash("sha1", JSON.stringify(expand.command));
  const known = cache.dir === undefined ? new Map<string, Terms>() : readAnswers(cache.dir, command);
  const asked = new Map<string, AskedSection>();
  const contents = new Map<LoadedDocument, string[]>();
  for (const document of documents) {
    if (document.card.isSource || document.task.plain !== undefined) continue;
    const sections = await listSections(document, collections);
    contents.set(
      document,
      sections.map((section) => {
        const content = hash("sha1", JSON.stringify([section.title, section.heading, section.text]));
        if (!known.has(content) && !asked.has(content)) asked.set(content, section);
        return content;
      }),
    );
  }
  const { answers, faults, isWhole } = await askCommand(asked, dir, expand);
  const used = new Map<string, Terms>();
  for (const content of new Set([...contents.values()].flat())) {
    const terms = known.get(content) ?? answers.get(content) ?? (isWhole ? [] : undefined);
    if (terms !== undefined) used.set(content, terms);
  }
  if (asked.size > 0) saveAnswers(cache.dir, command, used);
  let [count, bytes] = [0, 0];
  const expanded = documents.map((document) => {
    const own = (contents.get(document) ?? []).map((content) => used.get(content) ?? []);
    if (own.every((list) => list.length === 0)) return document;
    const { language } = collections[document.card.collection] as CollectionConfig;
    const before = document.load();
    const added = chooseTerms(document, own, language, expand.terms);
    const body = addTerms(before, added);
    count += [...added.values()].flat().length;
    bytes += body.inverted.unitBytes.length - before.inverted.unitBytes.length;
    return withBody(document, body, hash("sha1", JSON.stringify([...added])), cache);
  });
  const warnings = [...faults].map(([fault, { count, example }]) => {
    const more = count === 1 ? "" : `, and ${count - 1} more times`;
    return finding("warning", "expand-failed", `${fault}${example}${more}`, name);
  });
  const about = `gave ${count} terms to sections, ${bytes} bytes of postings`;
  return {
    documents: expanded,
    diagnostics: [finding("info", "expanded", about, name), ...warnings],
    isIncomplete: !isWhole,
  };
}

function finding(severity: "info" | "warning", code: string, about: string, collection: string) {
  return { severity, code, message: `the command of "expand" ${about}`, path: "", line: 0, collection } as const;
}

/** The sections of a document with their source text. */
async function listSections(
  document: LoadedDocument,
  collections: readonly CollectionConfig[],
): Promise<AskedSection[]> {
  const { card, load } = document;
  const { sections, path, title } = card;
  const { name } = collections[card.collection] as CollectionConfig;
  const same = (bytes: Uint8Array): Uint8Array => bytes;
  const blocks = load().blocks.filter(({ length }) => length > 0);
  const units = (await Promise.all(blocks.map((block) => decodeBlock(0, sealBlock(0, block, same), same)))).flat();
  const ids = sectionIds(makeDocumentId(name, path), path, sections);
  let next = 0;
  return sections.map((row, ordinal) => {
    const [, heading] = row;
    const own = units.slice(next, next + (row.at(-1) as number));
    next += own.length;
    const text = own.map((unit) => unit.text).join("");
    return { id: ids[ordinal] as string, title, heading, text };
  });
}

/** Asks about sections. @param asked By content. */
async function askCommand(
  asked: ReadonlyMap<string, AskedSection>,
  dir: string,
  { command: [program = "", ...args], seconds }: TreelineConfig["expand"],
) {
  const reader = new AnswerReader(asked);
  if (asked.size === 0) return { answers: reader.answers, faults: reader.faults, isWhole: true };
  // A group of its own, so that what it started ends with it.
  const isGroup = process.platform !== "win32";
  const child = spawn(program, args, { cwd: dir, detached: isGroup, stdio: "pipe" });
  let broken = "";
  const end = (why: string): void => {
    broken ||= why;
    try {
      if (!isGroup) child.kill("SIGKILL");
      else if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
    child.stdout.destroy();
    child.stderr.destroy();
  };
  // Its group does not end with this process by itself.
  const endNow = (): void => end("");
  process.once("exit", endNow);
  const timer = setTimeout(() => end(`was stopped after ${seconds} s, its time limit`), seconds * 1000);
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-SHOWN_CHARACTERS);
  });
  child.stdin.on("error", () => undefined);
  Readable.from([...asked.values()].map((section) => `${JSON.stringify(section)}\n`)).pipe(child.stdin);
  createInterface({ input: child.stdout }).on("line", (line) => reader.take(line));
  let open = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    const lineEnd = chunk.lastIndexOf("\n");
    open = lineEnd < 0 ? open + chunk.length : chunk.length - lineEnd - 1;
    if (open > MAX_LINE_BYTES) end(`returned a line of more than ${MAX_LINE_BYTES} bytes`);
  });
  try {
    const [code, signal] = await once(child, "close");
    const said = errors.trim() === "" ? "" : `: ${errors.trim()}`;
    if (broken === "" && code !== 0) broken = `ended with ${code === null ? signal : `code ${code}`}${said}`;
  } catch (error) {
    broken ||= `cannot be run: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    clearTimeout(timer);
    process.off("exit", endNow);
    end(broken);
  }
  if (broken !== "") reader.report(broken, "");
  return { answers: reader.answers, faults: reader.faults, isWhole: broken === "" };
}

/** Reads the lines that a command answers. */
class AnswerReader {
  readonly answers = new Map<string, Terms>();
  readonly faults: Faults = new Map();
  readonly #contents: ReadonlyMap<string, string>;

  constructor(asked: ReadonlyMap<string, AskedSection>) {
    this.#contents = new Map([...asked].map(([content, { id }]) => [id, content]));
  }

  take(line: string): void {
    if (line.trim() === "") return;
    const answer = parseJson(line);
    const { id, terms } = isRecord(answer) ? answer : {};
    const content = this.#contents.get(String(id));
    if (typeof id !== "string" || !Array.isArray(terms)) {
      this.report("returned a line that is not an object with id and terms", line);
    } else if (content === undefined) this.report("returned an id that it was not asked about", id);
    else if (this.answers.has(content)) this.report("answered twice for one id", id);
    else {
      const fit = terms.filter(isTerm);
      if (fit.length < terms.length) this.report("gave terms that are not pairs of a text and a positive number", id);
      this.answers.set(content, fit.sort(([, a], [, b]) => b - a).slice(0, MAX_KEPT_TERMS));
    }
  }

  /** Counts a fault. @param example What shows it, `""` for none. */
  report(fault: string, example: string): void {
    const known = this.faults.get(fault);
    const shown = example === "" ? "" : `, the first ${JSON.stringify(example.slice(0, SHOWN_CHARACTERS))}`;
    this.faults.set(fault, { count: (known?.count ?? 0) + 1, example: known?.example ?? shown });
  }
}

function isTerm(term: unknown): term is [string, number] {
  if (!Array.isArray(term) || term.length !== 2) return false;
  const [text, weight] = term;
  return typeof text === "string" && text.length <= MAX_TERM_CHARACTERS && Number.isFinite(weight) && weight > 0;
}

/** Terms that a document gets, each with the first units of its sections. @param given By section. @param most A section. */
function chooseTerms(
  { card: { sections } }: LoadedDocument,
  given: readonly Terms[],
  language: Language,
  most: number,
): ReadonlyMap<string, UnitPosting[]> {
  const added = new Map<string, UnitPosting[]>();
  let unit = FIRST_TEXT_UNIT;
  for (const [ordinal, terms] of given.entries()) {
    const weights = new Map<string, number>();
    for (const [text, weight] of terms) {
      for (const { term } of readSynonymPhrase(text, analyzerOf(language))) {
        if (weight >= WEIGHTS.least) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
      }
    }
    // Equal ones by name, so that the order of an answer does not count.
    const best = [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, most);
    for (const [term, weight] of best) {
      const posting = { unit, frequency: Math.min(WEIGHTS.most, Math.round(weight)), heading: false, code: false };
      added.set(term, [...(added.get(term) ?? []), posting]);
    }
    unit += sections[ordinal]?.at(-1) as number;
  }
  return added;
}

/** A body with more terms, in units that do not hold them. */
function addTerms({ inverted, ...body }: DocumentBody, added: ReadonlyMap<string, UnitPosting[]>): DocumentBody {
  const known = new Set(inverted.terms);
  const fresh = [...added.keys()].filter((term) => !known.has(term)).sort();
  const terms = [...inverted.terms, ...fresh];
  const writer = new ByteWriter(inverted.unitBytes.length + added.size * 4);
  const ends = terms.map((term, at) => {
    const start = at === 0 ? 0 : (inverted.ends[at - 1] as number);
    const end = inverted.ends[at] ?? start;
    const own = added.get(term);
    if (own === undefined) writer.writeBytes(inverted.unitBytes.subarray(start, end));
    else {
      const units = new Map(own.map((posting) => [posting.unit, posting]));
      const list = { bytes: inverted.unitBytes, unitsAt: [end > start ? start : NO_UNITS] };
      visitUnits(list as unknown as PostingList, 0, (unit, frequency, heading, code) => {
        units.set(unit, { unit, frequency: Math.round(frequency), heading, code });
      });
      writeUnits(
        writer,
        [...units.values()].sort((a, b) => a.unit - b.unit),
      );
    }
    return writer.length;
  });
  const flags = Uint8Array.from([...inverted.flags, ...fresh.map(() => 0)]);
  return { ...body, inverted: { ...inverted, terms, unitBytes: writer.finish(), ends: Uint32Array.from(ends), flags } };
}

/** Answers of the same command by content, as they were kept; none where they are damaged. */
function readAnswers(dir: string, command: string): ReadonlyMap<string, Terms> {
  try {
    const kept = JSON.parse(String(gunzipSync(readFileSync(join(dir, CACHE_FILE)))));
    return new Map<string, Terms>(kept.command === command ? kept.answers : []);
  } catch {
    return new Map();
  }
}

function saveAnswers(dir: string | undefined, command: string, answers: ReadonlyMap<string, Terms>): void {
  if (dir === undefined) return;
  const file = join(dir, CACHE_FILE);
  try {
    mkdirSync(dir, { recursive: true });
    writeFileSync(`${file}.partial`, gzipSync(JSON.stringify({ command, answers: [...answers] })));
    renameSync(`${file}.partial`, file);
  } catch {
    // What cannot be kept is asked again.
  }
}
