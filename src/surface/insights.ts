/** Questions that found nothing good: as they are counted and shown, and without what may tell of somebody. */

/** A question that found nothing good, and who had it. */
export interface InsightEntry {
  /** As `normalizeQuery` gives it. */
  readonly query: string;
  /** What was found in place of an answer. */
  readonly kind: string;
  /** What tells callers apart; hashed before anything is stored. */
  readonly caller: string;
}

export interface Insight {
  readonly query: string;
  /** How often it was asked in the time that is kept. */
  readonly count: number;
  /** Most callers that had it on one of the days that are kept. */
  readonly callers: number;
  /** How often with which outcome. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The last day on which it was asked, `2026-08-30`. */
  readonly lastSeen: string;
}

export interface InsightReport {
  /** First day that is counted, `2026-08-01`. */
  readonly since: string;
  /** Most callers first. */
  readonly queries: readonly Insight[];
}

/** Fewer callers than this may be one person and their colleague. */
export const LEAST_CALLERS = 3;
export const KEPT_DAYS = 30;

/** Longer questions are pasted texts. */
const MAX_QUESTION_LENGTH = 120;

/** Digits in a row, with single spaces, dots, dashes, slashes or brackets between them, that may be somebody's number. */
const LONG_NUMBER = /\d(?:[ .\-/()+]{0,2}\d){5,}/;

/** A word of letters and digits that no language and no program has. */
const LONGEST_MIXED_WORD = 19;

const LONGEST_WORD = 40;

const HEX_WORD = /^[0-9a-f]{12,}$/;

/** Beginnings of keys as well-known services give them. */
const KEY_PREFIX =
  /(^|[^a-z0-9])(sk|pk|rk|ghp|gho|ghs|ghu|glpat|xox[abprs]|akia|asia|aiza|eyj|tl)[-_][a-z0-9]|npm_[a-z0-9]{8}|akia[0-9a-z]{8}|eyj[a-z0-9_-]{8}|github_pat_/;

const SECRET_WORD =
  /(passphrase|password|passwd|pwd|secret|token|credential|[a-z][-_]key|api ?key|bearer|authorization)[\w-]*["']?\s*[:=]|bearer \S{16}/;

const ADDRESS = /\S@\S|:\/\/|\bwww\./;

const HOME_FOLDER = /(^|[\\/ ])(home|users)[\\/][^\\/ ]/;

/** Name of the object that counts for a corpus; `""` is the one at the root. */
export function insightsObject(corpus: string): string {
  return corpus === "" ? "insights" : `insights/${corpus}`;
}

/**
 * The form in which a question is counted, one for all who ask the same; undefined for none, and where it may tell of somebody.
 *
 * Compatibility characters are folded (NFKC), letters are lower case, runs of spaces are one, words have no punctuation at their ends. Words
 * keep their order: "upload to bucket" and "bucket to upload" are two questions, and a maintainer reads what people wrote.
 *
 * Dropped is what looks like an address, the name of an account, the number of a card or telephone, a key or token, a path into a home
 * folder. It drops too much rather than too little: a question that is lost is asked again.
 */
export function normalizeQuery(query: string): string | undefined {
  // Far longer than what is kept, so that nothing is folded for nothing.
  if (query.length > 4 * MAX_QUESTION_LENGTH) return undefined;
  const folded = query.normalize("NFKC").toLowerCase();
  if (isPrivate(folded)) return undefined;
  const words = folded
    .replace(/[\p{C}\s]+/gu, " ")
    .split(" ")
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#*]+$/gu, ""))
    .filter((word) => word !== "");
  const question = words.join(" ");
  // Once more: what was hidden by characters between is looked at as it would be shown.
  return question === "" || question.length > MAX_QUESTION_LENGTH || isPrivate(question) ? undefined : question;
}

function isPrivate(text: string): boolean {
  if (ADDRESS.test(text) || SECRET_WORD.test(text) || KEY_PREFIX.test(text) || HOME_FOLDER.test(text)) return true;
  return LONG_NUMBER.test(text) || text.split(/[\s"'`,;=<>()[\]{}]+/).some(isSecretWord);
}

function isSecretWord(word: string): boolean {
  const bare = word.replace(/[-_]/g, "");
  if (word.length > LONGEST_WORD && !word.includes(".") && !word.includes("/") && !word.includes("_")) return true;
  if (HEX_WORD.test(bare) && /\d/.test(bare)) return true;
  return bare.length > LONGEST_MIXED_WORD && /\d/.test(bare) && /\p{L}/u.test(bare) && countDigits(bare) > 2;
}

function countDigits(word: string): number {
  return word.replace(/\D/g, "").length;
}
