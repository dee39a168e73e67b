/**
 * The journey of an agent: search → outline → text, through the SDK's client and the real server, for questions that
 * were written by hand before any search was run. Is the right section read, and how many tokens do the three answers
 * have?
 *
 *   npm run prove:journey -- NEXT_DIR OTHER_DIR      (VERBOSE=1 shows every question; SESSION=1 asks each within a session)
 *
 * The folders hold the pages of the two packages that `journey-questions.json` names, in its order. Each is served by
 * `treeline dev` from a copy.
 *
 * What the agent does, without a model and without knowing the answers:
 *
 * 1. `search_documents` with the question as it stands.
 * 2. `get_tree` of the first document.
 * 3. `get_node_content` of up to four sections in one call, as an agent does that is not sure yet: the first section
 *    that the search names; the section of the outline with most of the question's words in its title and summary (stop
 *    words apart; of equals the one with more of them in its title, else the first); the first one that the search names of the second document; and the next one
 *    that it names at all. A section counts when the texts of the answers name it.
 *
 * Tokens are those of the text answers with default arguments: characters ÷ 4, and Treeline's own estimate beside it.
 * What step 3 looks at is taken from the same calls in JSON, and counts only where the text names the section too.
 */
import { cpSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { percentileOf } from "../../indexer/cli/commands/eval.ts";
import { analyzeText } from "../../src/core/text/analyze.ts";
import { estimateTokens } from "../../src/surface/render/text.ts";
import { removeServed, startDev } from "../../test/support/dev-server.ts";

const CHARACTERS_PER_TOKEN = 4;
/** Sections that are read in one call. */
const MAX_READ = 4;
const JSON_TOKENS = 6000;
const LEAST_RIGHT = 27;
const NOWHERE = { path: "", heading: "" };
/** Characters of a summary by which it is looked for in a text. */
const SUMMARY_START = 40;
const isWithinSession = process.env.SESSION !== undefined;
const MOST_TOKENS = { median: 3000, worst: 6000 };

interface Place {
  readonly path: string;
  readonly heading: string;
}

interface Question {
  readonly id: string;
  readonly question: string;
  readonly sections: readonly Place[];
}

interface Journey {
  readonly question: Question;
  /** Sections that were read, the likeliest first. */
  readonly read: readonly Place[];
  /** What the search put first. */
  readonly first: Place;
  /** Every section that the search named, of all documents. */
  readonly named: readonly Place[];
  readonly tokens: number;
  readonly estimated: number;
}

/** A section that the agent can choose, with the words it has seen of it. */
interface Choice {
  readonly docId: string;
  readonly nodeId: string;
  readonly title: string;
  readonly seen: string;
  /** Its number in its document, where that is known. */
  readonly number?: number;
}

type Given = Readonly<Record<string, unknown>>;

interface Called {
  readonly text: string;
  readonly json: Given;
}

const dirs = process.argv.slice(2);
const { trees } = JSON.parse(readFileSync(join(import.meta.dirname, "journey-questions.json"), "utf8")) as {
  trees: { package: string; folder: string; questions: Question[] }[];
};
if (dirs.length !== trees.length) {
  console.error(`usage: journey.ts ${trees.map((tree) => `DIR(${tree.package} ${tree.folder})`).join(" ")}`);
  process.exit(2);
}
const journeys: Journey[] = [];
for (const [at, tree] of trees.entries()) {
  journeys.push(...(await travel(dirs[at] as string, tree.questions)));
}
report();

async function travel(source: string, questions: readonly Question[]): Promise<Journey[]> {
  const dir = mkdtempSync(join(tmpdir(), "treeline-journey-"));
  cpSync(source, dir, { recursive: true });
  const server = await startDev(dir, "--port", "0", "--no-watch");
  try {
    const client = new Client({ name: "journey", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
    const done: Journey[] = [];
    for (const question of questions) done.push(await ask(client, question));
    await client.close();
    return done;
  } finally {
    await server.end("SIGTERM");
    await removeServed(dir);
  }
}

async function ask(client: Client, question: Question): Promise<Journey> {
  const opened = isWithinSession ? await client.callTool({ name: "open_session", arguments: {} }) : undefined;
  const session = /session: "([\w-]+)"/.exec(textOf(opened))?.[1];
  const call = (name: string, given: Given): Promise<Called> => callBoth(client, name, given, session);
  const found = await call("search_documents", { query: question.question });
  const results = found.json.results as Record<string, unknown>[];
  const best = results[0];
  const searched = results.map((result) => searchChoices(result).filter((choice) => isNamed(choice, [found.text])));
  const named = searched.flat().map(placeOf);
  if (best === undefined) return toJourney(question, [], named, [found.text]);
  const tree = await call("get_tree", { doc_id: best.id as string });
  const words = new Set(contentWords(question.question));
  const outlined = treeChoices(best.id as string, tree).filter((choice) => isNamed(choice, [tree.text]));
  const [first, ...others] = searched.flat();
  const fromTree = mostSeen(
    outlined.filter(({ nodeId }) => nodeId !== first?.nodeId),
    words,
  );
  const second = searched[1]?.[0];
  const wanted = [first, fromTree, second, ...others].filter((choice) => choice !== undefined);
  const chosen = [...new Map(wanted.map((choice) => [choice.nodeId, choice])).values()].slice(0, MAX_READ);
  const read = await call("get_node_content", { node_ids: chosen.map(({ nodeId }) => nodeId) });
  return toJourney(question, chosen.map(placeOf), named, [found.text, tree.text, read.text]);
}

/** Whether a text names the section: by the short id that stands beside its document, or by its number. */
function isNamed({ nodeId, docId, number }: Choice, texts: readonly string[]): boolean {
  const short = nodeId === docId ? "#n0" : nodeId.slice(docId.length);
  const names = [short, ...(number === undefined ? [] : [`#n${number}`])];
  return texts.some((text) => text.split(/[\s,]+/).some((word) => names.includes(word)));
}

function mostSeen(choices: readonly Choice[], words: ReadonlySet<string>): Choice | undefined {
  const count = (text: string): number => new Set(contentWords(text).filter((word) => words.has(word))).size;
  const rated = choices.map((choice) => ({ choice, seen: count(choice.seen), inTitle: count(choice.title) }));
  return rated.reduce<(typeof rated)[number] | undefined>(
    (most, one) =>
      most === undefined || one.seen > most.seen || (one.seen === most.seen && one.inTitle > most.inTitle) ? one : most,
    undefined,
  )?.choice;
}

function placeOf({ docId, nodeId, title }: Choice): Place {
  return { path: docId.slice(docId.indexOf(":") + 1), heading: nodeId === docId ? "" : title };
}

/** Sections of a document that the search names, best first. */
function searchChoices(best: Readonly<Record<string, unknown>>): Choice[] {
  const docId = best.id as string;
  return (best.sections as { nodeId: string; heading?: string; plainExcerpt?: string }[])
    .filter(({ heading = "" }) => heading !== "")
    .map(({ nodeId, heading = "", plainExcerpt = "" }) => ({
      docId,
      nodeId,
      title: heading,
      seen: `${heading} ${plainExcerpt}`,
    }));
}

/** Sections of an outline; of a summary counts what the text shows. */
function treeChoices(docId: string, { json, text }: Called): Choice[] {
  return ((json.sections ?? []) as { nodeId: string; title: string; summary?: string }[]).map(
    ({ nodeId, title, summary = "" }, number) => {
      const isShown = text.includes(summary.slice(0, SUMMARY_START));
      return { docId, nodeId, title, seen: isShown ? `${title} ${summary}` : title, number };
    },
  );
}

function contentWords(text: string): string[] {
  return analyzeText(text)
    .filter(({ kind, stop }) => kind !== "whole" && !stop)
    .map(({ term }) => term);
}

/** The text of a call, within the session where there is one, and its JSON, which no agent sees and no session remembers. */
async function callBoth(client: Client, name: string, given: Given, session: string | undefined): Promise<Called> {
  const within = session === undefined ? given : { ...given, session };
  const text = await client.callTool({ name, arguments: { ...within } });
  const json = await client.callTool({ name, arguments: { ...given, format: "json", max_tokens: JSON_TOKENS } });
  if (text.isError === true) throw new Error(`${name}: ${textOf(text)}`);
  return { text: textOf(text), json: (json.structuredContent ?? {}) as Given };
}

function textOf(result: Awaited<ReturnType<Client["callTool"]>> | undefined): string {
  return ((result?.content ?? []) as { text: string }[]).map((block) => block.text).join("\n");
}

function toJourney(
  question: Question,
  read: readonly Place[],
  named: readonly Place[],
  texts: readonly string[],
): Journey {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return {
    question,
    read,
    first: named[0] ?? NOWHERE,
    named,
    tokens: Math.ceil(characters / CHARACTERS_PER_TOKEN),
    estimated: texts.reduce((sum, text) => sum + estimateTokens(text), 0),
  };
}

function answers({ sections }: Question, place: Place): boolean {
  return sections.some(({ path, heading }) => path === place.path && fold(heading) === fold(place.heading));
}

function describe({ path, heading }: Place): string {
  return `${path} ${JSON.stringify(heading)}`;
}

/** Headings are compared by their letters and digits: marks of code and emphasis are no part of what they say. */
function fold(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function report(): void {
  const right = journeys.filter(({ question, read }) => read.some((place) => answers(question, place))).length;
  for (const { question, read, tokens } of journeys) {
    const isRight = read.some((place) => answers(question, place));
    if (isRight && process.env.VERBOSE === undefined) continue;
    console.log(
      `${isRight ? "right" : "miss "} ${question.id} ${tokens} tokens, read ${read.map(describe).join(" | ")}`,
    );
  }
  const first = journeys.filter((journey) => answers(journey.question, journey.first)).length;
  const named = journeys.filter(({ question, named }) => named.some((place) => answers(question, place))).length;
  const tokens = journeys.map((journey) => journey.tokens);
  const estimated = journeys.map((journey) => journey.estimated);
  const [median, worst] = [percentileOf(tokens, 0.5), percentileOf(tokens, 1)];
  console.log(`right: ${right} of ${journeys.length}`);
  console.log(`  a right section stood first in the search: ${first}, was named by it at all: ${named}`);
  console.log(`tokens (characters ÷ 4): median ${median}, worst ${worst}`);
  console.log(`tokens (estimate): median ${percentileOf(estimated, 0.5)}, worst ${percentileOf(estimated, 1)}`);
  const isProven = right >= LEAST_RIGHT && median <= MOST_TOKENS.median && worst <= MOST_TOKENS.worst;
  if (!isProven) process.exitCode = 1;
}
