import type { Analyzer } from "../../src/core/text/analyze.ts";
import type { Language } from "../../src/core/text/language.ts";
/**
 * Words that concepts are made of: the words of a text that may belong to a phrase, numbers for them, and the English words
 * that are too general for a concept.
 */

/** What stands in front of a word: something that ends a phrase, a space, or a hyphen. */
export const BREAK = -1;
const SPACE = 0;
export const HYPHEN = 1;
type Tie = typeof BREAK | typeof SPACE | typeof HYPHEN;

/**
 * Receives each word by its place in a text, without a possessive `'s`; a place of no length stands for something else that
 * ends a phrase.
 */
export type WordVisitor = (text: string, start: number, end: number, tie: Tie) => void;

const MAX_LENGTH = 30;
const POSSESSIVE = /['’]s$/;
const APOSTROPHES = /['’]/g;
const WORDS = /^[\p{L}\p{N}\p{M}'’]+(?:[-‐‑][\p{L}\p{N}\p{M}'’]+)*$/u;
const OUTER_SIGNS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const NUMBER = /^\p{N}+$/u;

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const WHITE = 3;
const FAR = 4;
const KINDS = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) return LETTER;
  if (/[0-9]/.test(character)) return DIGIT;
  return /\s/.test(character) ? WHITE : OTHER;
});

/** Visit the words of a text in order. */
export function visitPlainWords(text: string, visit: WordVisitor): void {
  let tie: Tie = BREAK;
  let at = 0;
  const { length } = text;
  while (at < length) {
    while (at < length && kindAt(text, at) === WHITE) at++;
    if (at >= length) return;
    const start = at;
    while (at < length && kindAt(text, at) === LETTER) at++;
    const end = at;
    while (at < length && kindAt(text, at) !== WHITE) at++;
    // Most words are letters alone, perhaps with one sign behind them; of the others, patterns tell.
    const signs = at - end;
    if (end > start && end - start <= MAX_LENGTH && (signs === 0 || (signs === 1 && kindAt(text, end) === OTHER))) {
      visit(text, start, end, tie);
      tie = signs === 0 ? SPACE : BREAK;
      continue;
    }
    tie = visitMixed(text.slice(start, at), tie, visit);
  }
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x80) return KINDS[code] as number;
  return code === 0xa0 || code === 0x2028 || code === 0x2029 || code === 0x3000 ? WHITE : FAR;
}

/** A run of characters that are not all letters; what a word behind it is tied with. */
function visitMixed(run: string, before: Tie, visit: WordVisitor): Tie {
  const inner = run.replace(OUTER_SIGNS, "");
  if (inner === "" || !WORDS.test(inner)) {
    visit("", 0, 0, BREAK);
    return BREAK;
  }
  let tie: Tie = run.startsWith(inner) ? before : BREAK;
  for (const part of inner.split(/[-‐‑]/)) {
    const word = part.replace(POSSESSIVE, "").replace(APOSTROPHES, "");
    const isWord = word !== "" && word.length <= MAX_LENGTH && !NUMBER.test(word);
    if (isWord) visit(word, 0, word.length, tie);
    else visit("", 0, 0, BREAK);
    tie = isWord ? HYPHEN : BREAK;
  }
  const ends = !run.endsWith(inner) || POSSESSIVE.test(inner);
  return ends || tie === BREAK ? BREAK : SPACE;
}

/** Bits of a code: the word is no concept where it stands alone; several such words are no concept either. */
export const GENERAL = 1;
export const FILLER = 2;

/** From so many words on, numbers begin anew with the next page. */
const MAX_WORDS = 20_000;
/** Slots for them, a power of two: far above what there may be with the words that one page adds. */
const SLOTS = 1 << 17;
/** A shorter word says nothing by itself. */
const MIN_WORD_LENGTH = 3;

/** Words of a language by number. */
export class WordNumbers {
  /** One more than the number of a word; 0 for none. */
  readonly #slots = new Int32Array(SLOTS);
  readonly #ofTerm = new Map<string, number>();
  readonly #analyzer: Analyzer;
  readonly #isEnglish: boolean;
  /** Words as written, by number. */
  readonly words: string[] = [];
  /**
   * By number of a word: four times the number of its stem, with `GENERAL` and `FILLER` added; `BREAK` for a word that no
   * phrase has. What is added is of the word and not of its stem, which would depend on the order of pages.
   */
  readonly codes: number[] = [];
  /** Stems by number. */
  readonly terms: string[] = [];

  constructor(analyzer: Analyzer, language: Language) {
    this.#analyzer = analyzer;
    this.#isEnglish = language === "english" || language === "none";
  }

  get isFull(): boolean {
    return this.words.length >= MAX_WORDS;
  }

  /** The number of the word from `start` to `end` of a text. */
  numberAt(text: string, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
    for (let slot = hash & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
      const number = (this.#slots[slot] as number) - 1;
      if (number < 0) return this.#add(slot, text.slice(start, end));
      if (isAt(this.words[number] as string, text, start, end)) return number;
    }
  }

  #add(slot: number, word: string): number {
    // A copy: what is cut out of a page would keep all of it in memory.
    const number = this.words.push(Buffer.from(word).toString()) - 1;
    this.codes.push(this.#workOut(word));
    this.#slots[slot] = number + 1;
    return number;
  }

  #workOut(word: string): number {
    const { term, word: folded, isStop } = this.#analyzer.analyzeWord(word);
    if (isStop || term === "" || (this.#isEnglish && isConnecting(folded))) return BREAK;
    let number = this.#ofTerm.get(term);
    if (number === undefined) {
      number = this.terms.push(term) - 1;
      this.#ofTerm.set(term, number);
    }
    const general = word.length < MIN_WORD_LENGTH || (this.#isEnglish && isGeneral(folded));
    return number * 4 + (general ? GENERAL : 0) + (this.#isEnglish && isFiller(folded) ? FILLER : 0);
  }
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}

const kept = new Map<Language, WordNumbers>();

/** Numbers for the words of a page. */
export function wordNumbers(analyzer: Analyzer, language: Language): WordNumbers {
  const known = kept.get(language);
  if (known !== undefined && !known.isFull) return known;
  const made = new WordNumbers(analyzer, language);
  kept.set(language, made);
  return made;
}

/** Verbs, adjectives and adverbs: no concept begins or ends with one, or holds one. */
const CONNECTING = `able accept accepts accordingly achieve act actual actually add added adding additional additionally affect
  affects afterwards ago ahead aim allow allowed allowing allows alone alternatively anyway appear appears apply applied applies
  appropriate approximately arbitrary ask assume assumes automatic automatically avoid aware bad based basic basically begin
  begins behave behaves believe best better bring bypass call called calling calls care careful case cases cause caused causes
  certain chance change changed changes changing check choose chooses clear clearly close come comes coming common commonly
  completely complex consider considered consist consists contain contained containing contains continue convenient correct
  correctly correspond corresponding create created creates creating currently deal decide define defined defines defining
  depend depending depends describe described describes desired determine determines differ difference differently differs
  different difficult directly disable disabled disables disallow discuss display displayed displays easier easily easy effectively
  enable enabled enables encounter end ends enforce enough ensure ensures entire entirely equal equivalent especially essentially
  eventually exact exactly exist existing exists expect expected expects explain explained explains explicit explicitly extra
  extremely fact fail failed fails false familiar far faster feel fewer final finally find finds fine finish first five fix fixed
  follow followed following follows four frequently full fully generally generate generated generates generating good great
  guarantee guaranteed handle handled handles handling happen happens hard heavy held help helpful helps hold holds idea ideal
  identical ignore ignored ignores immediately impact implement implemented implementing implements implicit implicitly important
  improve improved improves improving include included includes including incorrect incorrectly increase indicate indicates
  individual initially instead intend intended invalid involve keep keeping keeps kept know known knows large larger last
  lastly late later latest lead leads learn learning leave left less likely limited little live lives long longer look looking
  looks lot low lower main mainly maintain major manual manually mean means mention mentioned minimal minor miss missing mix
  modify multiple multiply name named necessary necessarily need needed needing needs new newer newest next nice normal normally notice
  number numerous obtain obviously occur occurs offer offers old older omit omitted ones open operate opposed optional optionally
  order original originally overall override overrides particular particularly pass passed passes passing perform performed performs
  permit pick place placed plain possible possibly potential potentially prefer preferred prepare present prevent prevented
  prevents previous previously primarily primary prior probably problematic proceed produce produced produces proper properly
  provide provided provides providing pure purely put quick quickly raise rare rarely reach read reading reads ready real
  reason reasonable reasons receive received receives recent recently recommend recommended reduce reduced reduces refer
  referred refers regardless regular regularly related relative relevant rely remain remains remember remove removed removes
  removing replace replaced replaces replacing report reported reports represent represents require required requires requiring respect respectively rest
  restart result resulting results resulted return returned returning returns right run running runs safe safely satisfy
  save saw say says search second see seen select selected send sends separate separately serve serves set sets setting several
  share shared short show showing shown shows significant significantly similar similarly simple simpler simply single skip
  slightly slow slower small smaller sole solely soon sort special specific specifically specified specifies specify
  specifying stand start started starting starts stay step stop strongly subsequent successful successfully
  sudden sufficient suggest suitable supply support supported supporting supports sure take taken takes taking talk tell tells term
  third three thus tie time times total transparently treat treated tries trigger triggered triggers true try trying turn turned
  two typical typically unable unchanged undefined understand unexpected unless unlike unlikely unnecessary unwanted unsupported useful useless usual
  usually utilize valid vary various versus view visit wait want wanted ways whatever whether wide widely wish
  wonder work worked working works worry write writes writing written wrong yield good-to-know pros cons tip tips note notes noted
  warning warnings caution info see-also todo also today currently deprecated unreleased experimental stable beta alpha
  additionally furthermore moreover nevertheless however etc e.g i.e vs via per ie eg ok please thanks introduced added update updates updated updating rename renamed organize organizing breaking broken match matches matched matching specify adopt await bundle-time comparing compared compare consuming ensure interleaving
  inside outside checked filled globally locally interact managing opt opting passing placing preserve resolving return route-level separate share shared sharing skipping step-by-step understand understanding
  upload verify verifying wait wrap wrapped wrapping wraps behind beyond chance choosing dealing enabling disabling examine explore faster
  further-reading happens increasingly instructions-for invoke invoked invokes invoking located look-up lose moved moving move occurs originally persist preferring rather
  rejected reuse reused run-time simplified simplify simplifies slower specify switch-to tell trying turning unique up-to-date varying`;

/** Nouns that every manual has: part of a concept of several words, but none alone. */
const GENERAL_NOUNS = `ability access action actions addition advantage amount answer app application applications apps approach
  area argument arguments array aspect attempt attribute attributes author background bar base baz basis behavior behaviors behaviour benefit
  benefits bit block blocks body boolean bug bugs bottom box branch bunch category change changelog chapter character
  characters choice class classes code collection column combination command commands comment comments community component
  components concept concepts condition conditions config configuration configurations consequence content contents context convention
  conventions copy count couple cost data date day decision default defaults definition demo description descriptions detail details developer
  developers development device directories directory discussion doc docs document documentation documents effect element elements
  entry environment error errors event events example examples exception execution expression extension faq feature features field
  fields file filename files flag flags folder folders foo form format formats frame framework function functionality functions general goal group groups
  guide guides hand handler heading heart history hour house ids identifier image implementation improvement information input
  inputs instance instances instruction instructions interface introduction issue issues item items job key keys keyword kind kinds language languages layer legend length level
  levels libraries library limit limitation limitations line lines link links list lists local location logic machine mechanism member
  members method methods migration minute mode modes module modules moment month motivation names need nodes node null object objects offset
  operation operations operator option options output overview package packages page pages pair pairs paragraph parameter parameters part
  parts path paths pattern patterns people period person phase piece place plan platform point points position possibility practice
  practices prerequisite prerequisites problem problems procedure process product program project projects proof properties property props
  purpose question questions quickstart range rate readme reference references release request requests requirement requirements resource resources response responses rfc
  rationale role root row rule rules sample samples scenario schema scope script scripts section sections selection sentence sequence server series session set
  settings setup shape side sign signature site size snippet software solution solutions source space stack stage standard state statement
  statements status step steps strategy string strings structure style stuff subject summary switch symbol syntax synopsis system systems table
  tag target task tasks team technique text thing title token tool tools top topic topics tree troubleshooting tutorial type types unit update updates upgrade
  usage use user users utilities utility value values variable variables variant version versions warning website week while word words workaround year
  private public remote partial static dynamic global local custom internal external native production active async asynchronous sync synchronous
  initial raw strict universal nested parent child children secret weight width height size src alt configure configures configured configuring optimize optimizes
  optimized import imports imported importing export exports exported load loads loaded loading fetch fetches fetched render renders rendered compute catch
  compress scroll upgrade install installs installed installing build builds built deploy deploys deployed debug debugs print
  produce throw throws thrown parse parses parsed listen register registers registered connect connected copy delete deleted edit merge merged
  scale search sync bundle bundles bundled compile compiled inject injected inline interactive mark mutate navigate prepend
  append refresh reload resolve resolved resolves retry revert rewrite serialize store stored stream streams streamed stringify subscribe throttle track
  transform transforms transpile transition trigger validate validated visible hidden empty root base left right top bottom first
  history-version self id ids url urls number numbers name names client http https json html css api apis js ts jsx tsx md mdx web client-side`;

/** Of these nouns those that name something together: `server component`, `event handler`, `error boundary`. */
const TELLING = `api application argument attribute block body cache class classes client component components condition
  content context copy css device element elements environment error errors event events expression extension feature flag form forms frame
  framework function functions fetch export import build dynamic global parent child production render search static store stream transform bundle nested private public remote group handler header history html image images input instance interface javascript key layer layout
  library line link links local machine member method migration mode module modules node object operator package packages page
  path paths pattern pipeline platform plugin process program property proxy role root row rule schema scope script scripts server session
  site snippet space stack state statement step string strings style switch symbol syntax system table tag target task text token tool tree type
  types unit user utility variable variables version web website workaround`;

const connecting = new Set(CONNECTING.split(/\s+/));
const nouns = new Set(GENERAL_NOUNS.split(/\s+/));
const telling = new Set(TELLING.split(/\s+/));

/** Whether a folded English word ties others together: no concept has it. */
function isConnecting(word: string): boolean {
  return connecting.has(word);
}

/** Whether a folded English word is no concept where it stands alone. */
export function isGeneral(word: string): boolean {
  return nouns.has(word);
}

/** Whether a folded English word says so little that several of them are no concept either. */
function isFiller(word: string): boolean {
  return nouns.has(word) && !telling.has(word);
}
