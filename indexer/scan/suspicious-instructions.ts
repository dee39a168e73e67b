/**
 * Instructions to models in texts that are written for people: prompt injection.
 *
 * How bad one is follows from evidence. What readers do not see and what tells a model to drop its instructions is an error. The same
 * in plain sight is a warning, and a note where it is quoted, stands in code, or near words about such attacks: documentation about
 * them holds many. Words further away do not count: one of them would disarm a whole page. Words that ordinary pages have count only
 * beside others, or where they are hidden.
 */
import { locateSpots } from "../../src/core/text/source-spots.ts";
import { type Grams, mayHold } from "../parse/grams.ts";
import { needOf, type ScanFinding, type ScanKind, type ScannedText } from "./scanned-text.ts";

const HIDING_STYLE =
  /display\s*:\s*["']?none|visibility\s*:\s*["']?hidden|font-?size\s*:\s*["']?0(?![.\d]*[1-9])|opacity\s*:\s*["']?0(?![.\d]*[1-9])|color\s*:\s*["']?(?:white|transparent|#fff(?:fff)?)\b|(?:^|\s)hidden(?=$|[\s=/])/i;

/** Elements that no browser shows. */
const UNSEEN_ELEMENTS: ReadonlySet<string> = new Set(["template", "noscript"]);

/** How far a hidden element reaches that has no end. */
const MAX_OPEN_ELEMENT = 5_000;

/** Phrases so close together belong together. */
const NEAR = 600;
/** Words about attacks on models. */
const ABOUT_ATTACKS = /prompt[- ]?injection|jailbreak|red[- ]team|guardrail|adversarial|indirect injection/i;

/** Base64 of so many characters can hold a phrase. */
const LEAST_BLOB = 40;
const MAX_BLOBS = 100;
/** Characters of a blob that are looked at. */
const MAX_BLOB = 8_000;

export const suspiciousInstructions: ScanKind = {
  rule: "suspicious-instruction",
  find: (scanned) => [...findWritten(scanned), ...findDisguised(scanned), ...findEncoded(scanned)],
};

function findWritten(scanned: ScannedText): ScanFinding[] {
  const { text, language, grams, hasUnseen } = scanned;
  const phrases = findPhrases(text, hasUnseen ? undefined : grams);
  if (phrases.length === 0) return [];
  const places = placesOf(text, language, phrases);
  const judged = phrases.flatMap((phrase, at) => {
    const place = scanned.isBroken(phrase.start, phrase.end)
      ? ({ kind: "unseen", where: "broken up by characters that nobody sees" } as const)
      : (places[at] as Place);
    const isBacked = phrases.some((other) => other.does !== phrase.does && Math.abs(other.start - phrase.start) < NEAR);
    const isAboutAttacks = ABOUT_ATTACKS.test(text.slice(Math.max(0, phrase.start - NEAR), phrase.end + NEAR));
    const severity = judge(phrase, place, isBacked, isAboutAttacks);
    return severity === undefined ? [] : [{ phrase, place, severity }];
  });
  return judged.map(({ phrase, place, severity }) => ({
    offset: scanned.placeOf(phrase.start),
    rule: "suspicious-instruction",
    severity,
    message: describe(phrase, place),
  }));
}

/** The severity of a phrase, or undefined where it says nothing. */
function judge(
  { strength }: Phrase,
  place: Place,
  isBacked: boolean,
  isAboutAttacks: boolean,
): ScanFinding["severity"] | undefined {
  switch (place.kind) {
    case "unseen":
      if (strength === "strong") return "error";
      if (strength === "medium") return isBacked ? "error" : "warning";
      return isBacked ? "warning" : "info";
    case "prose":
    case "source-comment":
      if (isAboutAttacks) return strength === "strong" ? "info" : undefined;
      if (strength === "strong") return "warning";
      if (strength === "medium") return isBacked ? "warning" : place.kind === "prose" ? "info" : undefined;
      return undefined;
    case "quoted":
    case "source-string":
      return strength === "strong" ? "info" : undefined;
  }
}

/** The words are not repeated: who reads findings is who they were written for. */
function describe({ does }: Phrase, place: Place): string {
  const where = place.kind === "unseen" ? `, ${place.where}` : "";
  return `${does}${where}; read this line before you trust the file`;
}

/** Ways to write letters as others that keep a text's length, with what a text holds that is written so. */
const DISGUISES: readonly { readonly name: string; readonly hint: RegExp; readonly undo: (text: string) => string }[] =
  [
    {
      name: "in digits and signs that stand for letters",
      // `1gn0r3`, `f0rg3t`, `d1sr3g4rd`: such words with one letter in another's place at least.
      hint: /\b(?!ignore|forget|disregard)[i1!|][gq9]n[o0]r[e3]\b|\b(?!forget)f[o0]rg[e3][t7]\b|\b(?!disregard)d[i1!][s5$]r[e3]g[a4@]rd\b/i,
      undo: (text) => text.replace(/[01345789@$!|]/g, (sign) => LETTERS[SIGNS.indexOf(sign)] as string),
    },
    {
      name: "in rot13",
      hint: /\b(?:vtaber|qvfertneq|sbetrg|bireevqr)\b/i,
      undo: (text) => text.replace(/[a-z]/gi, rotate),
    },
  ];
const SIGNS = "01345789@$!|";
const LETTERS = "oieastbgasii";
const ALPHABET = 26;

function rotate(letter: string): string {
  const first = letter <= "Z" ? 0x41 : 0x61;
  return String.fromCharCode(first + ((letter.charCodeAt(0) - first + ALPHABET / 2) % ALPHABET));
}

/** Orders in a spelling that people can read if they try, and that filters do not. */
function findDisguised({ text, placeOf }: ScannedText): ScanFinding[] {
  return DISGUISES.flatMap(({ name, hint, undo }) => {
    if (!hint.test(text)) return [];
    const written = new Set(findPhrases(text).map(({ start }) => start));
    return findPhrases(undo(text))
      .filter(({ strength, start }) => strength === "strong" && !written.has(start))
      .map(
        ({ start, does }): ScanFinding => ({
          offset: placeOf(start),
          rule: "suspicious-instruction",
          severity: "error",
          message: `${does}, written ${name}; read this line before you trust the file`,
        }),
      );
  });
}

/** Instructions that are encoded: nobody reads them but a model that is told to, or that decodes what it sees. */
function findEncoded({ original }: ScannedText): ScanFinding[] {
  const findings: ScanFinding[] = [];
  let looked = 0;
  for (const { start: offset, end } of findBlobs(original)) {
    const run = original.slice(offset, Math.min(end, offset + MAX_BLOB));
    const isHex = HEX.test(run);
    const decoded = isHex ? decodeHex(run) : decodeText(run);
    if (decoded === undefined) continue;
    if (++looked > MAX_BLOBS) break;
    const phrase = findPhrases(decoded).find(({ strength }) => strength !== "weak");
    if (phrase === undefined) continue;
    const message = `${phrase.does}, encoded in ${isHex ? "hexadecimal digits" : "base64"}; read this line before you trust the file`;
    findings.push({ offset, rule: "suspicious-instruction", severity: "error", message });
  }
  return findings;
}

/** Runs of base64. Each holds one of the characters that lie a run's least length apart, so most are never looked at. */
function* findBlobs(text: string): Generator<Range> {
  for (let at = LEAST_BLOB - 1; at < text.length; at += LEAST_BLOB) {
    if (!isBase64(text, at)) continue;
    let start = at;
    while (isBase64(text, start - 1)) start--;
    while (isBase64(text, at)) at++;
    if (at - start >= LEAST_BLOB) yield { start, end: at };
  }
}

function isBase64(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a && code < 0x80) || (code >= 0x2f && code <= 0x39) || code === 0x2b;
}

/** Runs of such digits alone are no base64. */
const HEX = /^[0-9a-f]+$/i;

/** The text that pairs of hexadecimal digits stand for; undefined where it is none. */
function decodeHex(digits: string): string | undefined {
  const text = Buffer.from(digits.slice(0, digits.length - (digits.length % 2)), "hex").toString("utf8");
  return isText(text) ? text : undefined;
}

/** The text that base64 stands for; undefined where it is none. */
function decodeText(base64: string): string | undefined {
  // The first bytes tell most hashes and images from text.
  if (!isText(atob(base64.slice(0, 16)))) return undefined;
  const whole = base64.slice(0, base64.length - (base64.length % 4));
  const bytes = Uint8Array.from(atob(whole), (unit) => unit.charCodeAt(0));
  const text = new TextDecoder().decode(bytes);
  return isText(text) ? text : undefined;
}

function isText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells bytes from text.
  return !/[\u0000-\u0008\u000e-\u001f\u007f]/.test(text);
}

/** What a place is. `unseen`: readers of the page do not see it; `where` says in words how it is hidden. */
type Place =
  | { readonly kind: "prose" | "quoted" | "source-string" | "source-comment" }
  | { readonly kind: "unseen"; readonly where: string };

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The place of each range of a text to a reader: prose, code or a quotation, or hidden. The ranges ascend by their starts.
 *
 * Worked out only for texts in which something was found, in time in proportion to the text. It knows how Markdown, MDX and HTML hide
 * text, and is a guess beyond that.
 */
function placesOf(text: string, language: string | undefined, ranges: readonly Range[]): Place[] {
  if (language !== undefined) {
    const spots = locateSpots(
      text,
      language,
      ranges.map(({ start }) => start),
    );
    return spots.map(({ within }) => ({ kind: within === "comment" ? "source-comment" : "source-string" }));
  }
  const fences = fenceRanges(text);
  const hiding: readonly { readonly where: string; readonly ranges: readonly Range[] }[] = [
    { where: "in a comment", ranges: [...betweenMarks(text, "<!--", "-->"), ...betweenMarks(text, "{/*", "*/}")] },
    {
      where: "in a link definition that shows nothing",
      ranges: matches(text, /^ {0,3}\[(?:\/\/|comment|#|_)\]:.*$/gim),
    },
    { where: "in an element that is not shown", ranges: hiddenElements(text) },
    {
      where: "in a text that stands for an image",
      ranges: [
        ...matches(text, /!\[[^\]\n]{1,2000}\]/g),
        ...matches(
          text,
          /\s(?:alt|aria-label|aria-description|data-[\w-]{1,40})\s?=\s?(?:"[^"\n]{0,2000}"|'[^'\n]{0,2000}')/gi,
        ),
      ],
    },
  ];
  return ranges.map(({ start, end }): Place => {
    const inside = ({ start: from, end: to }: Range): boolean => from <= start && end <= to;
    if (fences.some(inside)) return { kind: "quoted" };
    const hidden = hiding.find((one) => one.ranges.some(inside));
    if (hidden !== undefined) return { kind: "unseen", where: hidden.where };
    return { kind: isQuoted(text, start) ? "quoted" : "prose" };
  });
}

/** Whether a place stands in code or between quotes on its line. */
function isQuoted(text: string, at: number): boolean {
  const before = text.slice(Math.max(text.lastIndexOf("\n", at - 1) + 1, at - 1_000), at);
  const count = (mark: string): number => before.split(mark).length - 1;
  if (count("`") % 2 === 1 || count('"') % 2 === 1) return true;
  return (
    before.lastIndexOf("“") > before.lastIndexOf("”") ||
    before.lastIndexOf("«") > before.lastIndexOf("»") ||
    /(?:^|[\s(*_])['‘„]$/.test(before)
  );
}

/** Lines of code blocks, the fences included. What has no end is one to the end of the text. */
function fenceRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let open: { readonly start: number; readonly mark: string } | undefined;
  for (const match of text.matchAll(/^[ \t>]{0,40}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?(`{3,}|~{3,})(.*)$/gm)) {
    const [line, mark = "", rest = ""] = match;
    if (open === undefined) {
      if (!(mark.startsWith("`") && rest.includes("`"))) open = { start: match.index, mark };
    } else if (mark.startsWith(open.mark) && rest.trim() === "") {
      ranges.push({ start: open.start, end: match.index + line.length });
      open = undefined;
    }
  }
  if (open !== undefined) ranges.push({ start: open.start, end: text.length });
  return ranges;
}

function betweenMarks(text: string, opening: string, closing: string): Range[] {
  const ranges: Range[] = [];
  for (let start = text.indexOf(opening); start >= 0; ) {
    const end = text.indexOf(closing, start + opening.length);
    ranges.push({ start, end: end < 0 ? text.length : end + closing.length });
    if (end < 0) break;
    start = text.indexOf(opening, end);
  }
  return ranges;
}

function hiddenElements(text: string): Range[] {
  const ranges: Range[] = [];
  let passed = 0;
  for (const match of text.matchAll(/<([a-z][\w-]{0,40})((?:\s[^<>]{0,1000})?)>/gi)) {
    const [tag, name = "", attributes = ""] = match;
    if (match.index < passed || tag.endsWith("/>")) continue;
    if (!UNSEEN_ELEMENTS.has(name.toLowerCase()) && !HIDING_STYLE.test(attributes)) continue;
    const within = text.slice(match.index, match.index + MAX_OPEN_ELEMENT);
    const end = within.indexOf(`</${name}`);
    passed = match.index + (end < 0 ? within.length : end);
    ranges.push({ start: match.index, end: passed });
  }
  return ranges;
}

/** Not `matchAll`, which makes another expression of the pattern each time. @param pattern Matches no empty text. */
function matches(text: string, pattern: RegExp): Range[] {
  const ranges: Range[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    ranges.push({ start: match.index, end: pattern.lastIndex });
  }
  return ranges;
}

type Strength = "strong" | "medium" | "weak";

interface Phrase {
  readonly start: number;
  readonly end: number;
  readonly strength: Strength;
  /** What it does, as the end of a sentence that begins with "it". */
  readonly does: string;
}

interface PhraseKind {
  readonly strength: Strength;
  readonly does: string;
  /** What each of its phrases holds, as few texts do: expressions with ` | ` between them, without flags, in the syntax of `rg` too. */
  readonly hint: string;
  readonly patterns: readonly RegExp[];
}

/** What stands between two words: blanks, line ends, marks of comments, quotes and emphasis. */
const GAP = String.raw`[\s*_#>/"'\x60~-]{1,12}`;
const phrase = (source: string): RegExp => new RegExp(source.replaceAll(" ", GAP), "giu");

const DROP = String.raw`\b(?:ignore|disregard|forget|override|bypass|neglect|discard|abandon|stop following|do not follow|don['’]t follow)`;
const EARLIER = "(?:previous|previously|prior|above|preceding|earlier|foregoing)";
const OWN = "(?:existing|original|initial|current|former|safety)";
const ORDERS = String.raw`(?:instructions?|prompts?|guidelines|guardrails|programming|training)\b`;
const RULES = String.raw`(?:rules|directions|commands|constraints|directives|orders)\b`;
const TOOLS =
  "(?:send|sends|post|upload|forward|transmit|exfiltrate|leak|email|e-mail|submit|append|include|embed|report|deliver|fetch|curl|request|visit|open|load)";
const KNOWN = String.raw`(?:conversation|(?:chat|message|session) (?:history|log|transcript|context|contents?)|previous messages|user['’]s (?:data|messages|files|input|credentials)|system prompt|api keys?|credentials|access tokens?|environment variables|ssh keys?|private keys?|passwords|secrets|\.env)\b`;

const KINDS: readonly PhraseKind[] = [
  {
    strength: "strong",
    does: "tells a model to drop its instructions",
    hint: String.raw`\b(?:ignore|disregard|forget|override|bypass|neglect|discard|abandon|stop\W{1,12}following|not\W{1,12}follow|n['’]t\W{1,12}follow)\W{1,12}(?:all|any|every|each|of|the|your|my|these|those|its|their|what|and|previous|prior|above|preceding|earlier|foregoing|existing|original|initial|current|system|former|safety|other|toutes|les|tes|vos|todas|las|tus|sus|suas|as|everything) | \bignorier | vergiss | missachte | \boublie | \bignore[rz]\b | \bignora\b | \bolvid[ae]\b | esqueça | zignoruj | zapomnij | pomiń | \bignora\b | negeer | dimentica | игнорируй | 忽略 | 无视 | 忘记 | 無視`,
    patterns: [
      phrase(
        String.raw`${DROP}(?: (?:all|any|every|each|of|the|your|my|these|those|its|their|everything|and)){0,5} (?:${EARLIER}(?: (?:and|or|[\p{L}-]{2,20})){0,3} (?:${ORDERS}|${RULES})|${OWN}(?: (?:and|or|[\p{L}-]{2,20})){0,3} ${ORDERS})`,
      ),
      phrase(
        String.raw`\b(?:ignore|disregard|forget)(?: (?:all|any|of|the|your)){0,3} (?:system|safety) (?:prompts?|instructions?|messages?|rules|guidelines)\b`,
      ),
      phrase(
        String.raw`${DROP}(?: (?:all|any|every|of|the)){0,3} (?:your|these|those|its)(?: [\p{L}-]{2,20}){0,2} (?:${ORDERS}|${RULES})`,
      ),
      phrase(
        String.raw`${DROP} (?:everything|all|anything|what|whatever)(?: (?:that|you|was|were|have|been|had|is)){0,4} (?:told|instructed|said|stated|written|learned|learnt) (?:you |to you )?(?:before|above|previously|earlier|so far|until now)\b`,
      ),
      phrase(
        String.raw`\b(?:ignoriere?n?|vergiss|missachte)(?: sie)?(?: (?:alle|die|deine|ihre|bisherigen|vorherigen|obigen|früheren)){1,4} (?:anweisungen|instruktionen|regeln|vorgaben)`,
      ),
      phrase(
        String.raw`\b(?:ignorez?|oubliez?)(?: (?:toutes|les|tes|vos)){1,3} (?:instructions|consignes|règles)(?: (?:précédentes|antérieures|ci))?`,
      ),
      phrase(
        String.raw`\b(?:ignora|ignore|olvida|olvide)(?: (?:todas|las|tus|sus)){1,3} (?:instrucciones|reglas|indicaciones)`,
      ),
      phrase(
        String.raw`\b(?:forget|ignore|disregard) everything (?:and|else|above|before|so far|until now|in your|about your|now)\b`,
      ),
      phrase(
        String.raw`\b(?:zignoruj|zapomnij|pomiń)(?:cie)?(?: (?:wszystkie|poprzednie|wcześniejsze|powyższe|swoje|o)){1,4} (?:instrukcj\p{L}{1,3}|polece\p{L}{1,4}|zasad\p{L}{0,3})`,
      ),
      phrase(
        String.raw`\b(?:ignora|dimentica)(?: (?:tutte|le|tue|precedenti|queste)){1,4} (?:istruzioni|regole|indicazioni)`,
      ),
      phrase(
        String.raw`\bnegeer(?: (?:alle|de|je|uw|vorige|eerdere|bovenstaande)){1,4} (?:instructies|regels|opdrachten)`,
      ),
      phrase(String.raw`\b(?:ignore|esqueça)(?: (?:todas|as|suas)){1,3} (?:instruções|regras)`),
      phrase(`игнорируй(?:те)?(?: (?:все|всё|предыдущие|прежние|свои)){1,3} (?:инструкции|указания|правила)`),
      /(?:忽略|无视|忘记|無視)(?:掉|你|您)?(?:之前|以上|先前|前面|上面|此前|所有)?的?(?:所有|全部|一切)?的?(?:指令|指示|提示|说明|規則|规则)/gu,
      /(?:以前|これまで|上記|前)の(?:すべての|全ての)?(?:指示|命令|指令)を(?:すべて)?無視/gu,
    ],
  },
  {
    strength: "strong",
    does: "tells a model to be somebody else",
    hint: String.raw`you\W{1,12}are\W{1,12}now | unrestricted | unfiltered | uncensored | jailb | \bdan\b | no\W{1,12}(?:restrictions|rules|limits|guidelines)\b | (?:developer|god|sudo)\W{1,12}mode | override\s{0,2}[:!] | (?:new|updated|real|true)\W{1,12}(?:system\W{1,12})?(?:instructions|prompt|directive)\W{1,12}(?:for|to)\W`,
    patterns: [
      phrase(
        String.raw`\byou are now (?:(?:a|an|the|my)(?: [\p{L}-]{2,20}){0,3} (?:assistant|ai|bot|chatbot|llm|hacker|persona|character)\b|dan\b|(?:in|entering)(?: [\p{L}-]{2,20}){0,2} mode\b|unrestricted|jailbroken|free (?:from|of)|no longer (?:bound|restricted|limited|an?)\b)`,
      ),
      phrase(
        String.raw`\b(?:act|behave|respond|operate) as (?:dan\b|if you (?:have|had) no (?:restrictions|rules|limits|guidelines)|an? (?:unrestricted|unfiltered|uncensored|jailbroken)\b)`,
      ),
      phrase(
        String.raw`\bpretend(?: (?:that|to))? (?:you|be)(?: (?:are|have|an?|no)){1,3} (?:unrestricted|unfiltered|uncensored|jailbroken|restrictions|rules|guidelines)`,
      ),
      phrase(
        String.raw`\b(?:enter|enable|activate|switch to)(?: [\p{L}-]{2,20})? (?:developer|god|dan|jailbreak|unrestricted|sudo) mode\b`,
      ),
      phrase(String.raw`\bsystem (?:prompt )?override\b\s{0,2}[:!]`),
      phrase(
        String.raw`\b(?:new|updated|real|true) (?:system )?(?:instructions|prompt|directive) (?:for|to) (?:the |any |all )?(?:ai|llm|assistant|agent|model)s?\b`,
      ),
    ],
  },
  {
    strength: "medium",
    does: "asks a model to give away its prompt",
    hint: String.raw`system\W{1,12}(?:prompt|message) | (?:initial|hidden)\W{1,12}(?:prompt|instr) | instructions\W{1,12}above | chain\W{1,12}of\W{1,12}thought`,
    patterns: [
      phrase(
        String.raw`\b(?:reveal|print|output|repeat|show|leak|disclose|dump|display|tell me|write out|recite|give me)(?: (?:me|us|all|of|back|out|verbatim)){0,3} (?:your|the)(?: (?:entire|full|complete|exact|hidden|secret|original|initial|whole)){0,2} (?:system prompt|system message|initial prompt|initial instructions|hidden instructions|instructions above|chain of thought)\b`,
      ),
    ],
  },
  {
    strength: "medium",
    does: "asks a model to send what it knows to an address",
    hint: String.raw`conversation | (?:chat|message|session)\W{1,12}(?:hist|log|trans|cont) | previous\W{1,12}messages | user['’]s\W{1,12}(?:data|messages|files|input|cred) | system\W{1,12}prompt | api\W{1,12}keys?\b | credentials | access\W{1,12}token | environment\W{1,12}variables | (?:ssh|private)\W{1,12}key | passwords | secrets | \.env\b`,
    patterns: [
      new RegExp(
        String.raw`\b${TOOLS}${GAP}(?:[^\s<>]{1,30}\s{1,4}){0,8}?${KNOWN.replaceAll(" ", GAP)}[^\n]{0,120}?(?:https?:\/\/|\bwebhook\b|[\w.+-]{1,40}@[\w-]{1,40}\.\w)`,
        "giu",
      ),
      new RegExp(
        String.raw`\b${TOOLS}${GAP}(?:[^\s<>]{1,30}\s{1,4}){0,4}?https?:\/\/\S{1,200}\s(?:[^\s<>]{1,30}\s{1,4}){0,8}?${KNOWN.replaceAll(" ", GAP)}`,
        "giu",
      ),
    ],
  },
  {
    strength: "medium",
    does: "asks a model to hand on files of the machine that it runs on",
    hint: String.raw`~\/\. | \.ssh\/ | id_rsa | id_ed25519 | mcp\.json | \/etc\/passwd | \.aws\/ | \.netrc`,
    patterns: [
      /\b(?:read|open|cat|load|access|fetch)\b[^\n]{0,80}(?:~\/\.|\.ssh\/|id_rsa|id_ed25519|mcp\.json|\/etc\/passwd|\.aws\/|\.netrc)[^\n]{0,120}\b(?:pass|send|include|append|provide|put|attach|return|add)(?:ing)?\b[^\n]{0,40}\b(?:as|in|into|to|with)\b/giu,
    ],
  },
  {
    strength: "medium",
    does: "changes what a model does with other tools",
    hint: String.raw`<important> | (?:when|whenever|before|if|instead\W{1,12}of)\W{1,12}(?:you\W{1,12})?(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing))\W`,
    patterns: [
      /<\/?IMPORTANT>/gu,
      phrase(
        String.raw`\b(?:when|whenever|before|if|instead of) (?:you )?(?:use|using|call|calling|invoke|invoking)(?: (?:the|this|any|other)){0,2} (?:[\w.]{1,30}_[\w.]{1,30}|[\w.]{2,40} (?:tool|function))s?,? (?:you )?(?:must|always|first|never) (?:also |first |always )?(?:send|set|change|copy|add|forward|read|call|include|pass|use)\b`,
      ),
    ],
  },
  {
    strength: "medium",
    does: "puts what a model knows into the address of a picture",
    hint: String.raw`[?&=/][{<\[]{1,2}[^}>\]\n]{0,40}(?:conversation|history|context|secret|token|data|prompt|user|key|chat)`,
    patterns: [
      /(?:!\[[^\]\n]{0,200}\]\(|<img\b[^>\n]{0,200}\bsrc=["'])https?:\/\/[^)\s"']{1,200}[?&=/][{<[]{1,2}[^}>\]\n]{0,40}(?:conversation|history|context|secret|token|data|prompt|user|key|chat)/giu,
    ],
  },
  {
    strength: "medium",
    does: "asks for something to be done without asking the user",
    hint: String.raw`without\W{1,12}(?:asking|confirm|consult|informing|notifying|telling|permission|approval|user)`,
    patterns: [
      phrase(
        String.raw`\b(?:run|execute|install|download|delete|commit|push|apply|call|send)\b[^\n]{0,80}? without (?:asking|confirming|consulting|informing|notifying|telling)(?: (?:with|for))?(?: (?:the|your|any))?(?: (?:user|human|operator|person|developer|anyone|them|first|confirmation|permission))\b`,
      ),
      phrase(
        String.raw`\b(?:run|execute|install|download|delete|commit|push|apply|call|send)\b[^\n]{0,80}? without (?:the )?(?:user|human)(?:['’]s)? (?:confirmation|permission|approval|consent)\b`,
      ),
    ],
  },
  {
    strength: "medium",
    does: "looks like a message of another party of a conversation",
    hint: String.raw`<\|[a-z] | \[\/?INST\] | <<\/?SYS | <\/?(?:system|assistant|tool_|function_|antml|search_results|retrieved|untrusted) | \b(?:human|user|assistant):`,
    patterns: [
      /<\|(?:im_start|im_end|system|user|assistant|start_header_id|end_header_id|eot_id|begin_of_text|endoftext)\|>/giu,
      /\[\/?INST\]|<<\/?SYS>>/gu,
      /<\/?(?:search_results|retrieved_(?:documents?|context)|untrusted_(?:content|data))>/giu,
      /^[ \t>]{0,8}(?:Human|User): [^\n]{1,300}\n{1,3}[ \t>]{0,8}Assistant: /gimu,
      /^[ \t>]{0,8}Assistant: [^\n]{1,300}\n{1,3}[ \t>]{0,8}(?:Human|User): /gimu,
      /<\/?(?:system|assistant|tool_result|tool_response|tool_output|tool_call|function_results?|function_calls?|system[-_]reminder|system[-_]prompt|antml:[a-z_]{1,20})>/giu,
    ],
  },
  {
    strength: "weak",
    does: "asks to keep something from the user",
    hint: String.raw`(?:do\W{1,12}not|don['’]t|never|without)\W{1,12}(?:tell|inform|mention|reveal|alert|notif|disclos)`,
    patterns: [
      phrase(
        String.raw`\b(?:do not|don['’]t|never|without) (?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|alert|alerting|notify|notifying|disclose|disclosing)(?: (?:this|that|it|anything|about|to|these|any|of)){0,4} (?:the |your |any )?(?:user|human|operator|person|developer|customer)\b`,
      ),
    ],
  },
  {
    strength: "weak",
    does: "speaks to a model",
    hint: String.raw`\b(?:ai|llm|coding|autonomous|language)\W{1,12}(?:assistant|agent|model) | (?:for|to)\W{1,12}(?:(?:all|any|the)\W{1,12})?(?:ai|llm|assistant|agent)s?\W | if\W{1,12}you\W{1,12}are\W{1,12}an?\W`,
    patterns: [
      phrase(
        String.raw`\b(?:ai|llm|coding|autonomous|language) (?:assistants?|agents?|models?)(?: (?:reading|processing|that|who|which|this|is|are|page|file|read|reads|document)){0,6},? (?:must|should|shall|are required to|need to|have to|please)\b`,
      ),
      phrase(
        String.raw`\b(?:important|attention|note|instructions?|message) (?:for|to) (?:all |any |the )?(?:ai|llm|language model|assistant|agent)(?: (?:assistant|agent|model))?s?\s{0,2}:`,
      ),
      phrase(String.raw`\bif you are an? (?:ai|llm|large language model|language model|automated agent)\b`),
    ],
  },
];

/** A text holds what few of the hints need, and each alone is found several times faster than all as one expression. */
const HINTS = KINDS.map(({ hint }) =>
  hint.split(" | ").map((choice) => ({ need: needOf(choice), pattern: new RegExp(choice, "gi") })),
);

/** Characters on either side of a hint in which its phrase lies. */
const AROUND = 400;
/** More hints of one kind in a file are not looked at. */
const MAX_HINTS = 2_000;

/** The phrases of a text, in the order of their places. @param grams Those of the text, where they are known. */
export function findPhrases(text: string, grams?: Grams): Phrase[] {
  const found: Phrase[] = [];
  for (const [at, { strength, does, patterns }] of KINDS.entries()) {
    const hints = (HINTS[at] ?? []).filter(({ need }) => grams === undefined || mayHold(grams, need));
    for (const { start, end } of aroundHints(text, hints)) {
      const part = text.slice(start, end);
      for (const match of patterns.flatMap((pattern) => [...part.matchAll(pattern)])) {
        const from = start + match.index;
        found.push({ start: from, end: from + match[0].length, strength, does });
      }
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Parts of a text around the hints in it; those that meet are one. */
function aroundHints(text: string, hints: readonly { readonly pattern: RegExp }[]): Range[] {
  const found = hints.flatMap(({ pattern }) => matches(text, pattern)).sort((a, b) => a.start - b.start);
  const parts: { readonly start: number; end: number }[] = [];
  for (const hint of found.slice(0, MAX_HINTS)) {
    const start = Math.max(0, hint.start - AROUND);
    const end = hint.end + AROUND;
    const last = parts.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else parts.push({ start, end });
  }
  return parts;
}
