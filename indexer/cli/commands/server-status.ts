/**
 * What `treeline status` says of a deployed server: what it answers from, which of its parts work, and how that compares
 * with what is here.
 */
import process from "node:process";
import { formatAge, formatCount } from "../../../src/surface/render/numbers.ts";
import { cleanText } from "../../../src/surface/render/text.ts";
import { openIndexAt } from "../../open/open-index-at.ts";
import { readCommit } from "../../sources/git-commit.ts";
import { askServer, refusalOf } from "../ask-server.ts";
import { EXIT, type Terminal } from "../command.ts";

/** How to show it. */
export interface ServerStatusOptions {
  readonly isJson: boolean;
  /** An index to compare with: a folder or an address. */
  readonly index: string | undefined;
}

interface CheckLine {
  readonly name: string;
  readonly state: string;
  readonly needed: boolean;
}

/** What a server says of itself, as far as it is shown. */
interface ServerStatus {
  readonly isFailing: boolean;
  readonly error: string | undefined;
  /** Absent where it has no index to answer from. */
  readonly generation: { readonly id: string; readonly commit: string; readonly builtAt: string } | undefined;
  readonly documents: number;
  readonly sections: number;
  readonly indexBytes: number;
  readonly collections: readonly { readonly name: string; readonly documents: number; readonly sections: number }[];
  readonly checks: readonly CheckLine[];
}

interface Comparison {
  readonly what: string;
  readonly here: string;
  readonly there: string;
  readonly differs: boolean;
}

/**
 * Shows the status of the server at an address. The result is the exit code: 1 where a part fails that is needed, or where
 * the index to compare with is another one. Undefined where no server of this kind answers there.
 *
 * @throws {InputError} where nothing answers, or the server refuses.
 */
export async function showServerStatus(
  address: string,
  { isJson, index }: ServerStatusOptions,
  terminal: Terminal,
): Promise<number | undefined> {
  const answer = await askServer(address, "/status");
  if (answer.status === 401 || answer.status === 403 || answer.status === 429) throw refusalOf(answer, address);
  const { body } = answer;
  // Where there is no such corpus, the server says which there are.
  if (answer.status >= 400 && Array.isArray(body?.["nearest"]) && !Array.isArray(body["checks"])) {
    throw refusalOf(answer, address);
  }
  if (body === undefined || !Array.isArray(body["checks"])) return undefined;
  const status = parseStatus(body, body["checks"]);
  const compared = await compare(status, index);
  if (isJson) terminal.print(JSON.stringify({ url: address, ...body, compared }));
  else for (const line of describe(status, compared)) terminal.print(cleanText(line).text);
  const isOther = compared.some(({ what, differs }) => what === "generation" && differs);
  return status.isFailing || isOther ? EXIT.failed : EXIT.done;
}

function parseStatus(body: Readonly<Record<string, unknown>>, checks: readonly unknown[]): ServerStatus {
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const number = (value: unknown): number => (typeof value === "number" ? value : 0);
  const objects = (list: unknown): Record<string, unknown>[] =>
    Array.isArray(list) ? list.filter((one) => typeof one === "object" && one !== null) : [];
  const { id, commit, builtAt, error } = body;
  return {
    isFailing: body["status"] !== "ok",
    error: typeof error === "string" ? error : undefined,
    generation: typeof id === "string" ? { id, commit: text(commit), builtAt: text(builtAt) } : undefined,
    documents: number(body["documents"]),
    sections: number(body["sections"]),
    indexBytes: number(body["indexBytes"]),
    collections: objects(body["collections"]).map((collection) => ({
      name: text(collection["name"]),
      documents: number(collection["documents"]),
      sections: number(collection["sections"]),
    })),
    checks: objects(checks).map((check) => ({
      name: text(check["name"]),
      state: text(check["state"]),
      needed: check["needed"] === true,
    })),
  };
}

async function compare({ generation }: ServerStatus, index: string | undefined): Promise<readonly Comparison[]> {
  if (generation === undefined) return [];
  const compared: Comparison[] = [];
  const { commit } = await readCommit(process.cwd());
  if (commit !== "none" && generation.commit !== "none") {
    const there = generation.commit;
    compared.push({ what: "commit", here: commit, there, differs: commit !== there });
  }
  if (index !== undefined) {
    const here = (await openIndexAt(index)).generation.id;
    compared.push({ what: "generation", here, there: generation.id, differs: here !== generation.id });
  }
  return compared;
}

function describe(status: ServerStatus, compared: readonly Comparison[]): string[] {
  const { generation, collections, checks, error } = status;
  const lines: string[] = [];
  if (error !== undefined) lines.push(error);
  if (generation !== undefined) {
    const { id, commit, builtAt } = generation;
    const age = formatAge(builtAt, Date.now());
    lines.push(
      `generation ${id}`,
      `commit ${commit}${age === undefined ? "" : `, built ${age}`}`,
      `${formatCount(status.documents, "document")}, ${formatCount(status.sections, "section")}, ${status.indexBytes} bytes of index`,
      ...collections.map(
        ({ name, documents, sections }) =>
          `  ${name}: ${formatCount(documents, "document")}, ${formatCount(sections, "section")}`,
      ),
    );
  }
  lines.push(...checks.map(({ name, state, needed }) => `${state.padEnd(6)} ${name}${needed ? "" : " (optional)"}`));
  lines.push(
    ...compared.map(({ what, here, differs }) => `${what} here: ${here}, ${differs ? "another one" : "the same"}`),
  );
  return lines;
}
