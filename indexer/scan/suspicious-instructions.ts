/**
 * Instructions to models in texts that are written for people: prompt injection.
 *
 * How bad one is follows from evidence. What readers do not see and what tells a model to drop its instructions is
 * an error. The same in plain sight is a warning, and a note where it is quoted, stands in code, or near words about such
 * attacks: documentation about them holds many. Words further away do not count: one of them would disarm a whole page. Words that ordinary pages have count only beside others, or where they
 * are hidden. Pure.
 */
import { findPhrases, type Phrase } from "./instruction-phrases.ts";
import type { ScanFinding, ScanKind, ScannedText } from "./scanned-text.ts";
import { type Place, placesOf } from "./text-places.ts";

/** Phrases so close together belong together. */
const NEAR = 600;
/** Words about attacks on models. */
const ABOUT_ATTACKS = /prompt[- ]?injection|jailbreak|red[- ]team|guardrail|adversarial|indirect injection/i;

/** Characters of base64 that hold a phrase at least. */
const LEAST_BLOB = 40;
const MAX_BLOBS = 100;
/** Characters of a blob that are looked at. */
const MAX_BLOB = 8_000;

/** The kind. */
export const suspiciousInstructions: ScanKind = {
  rule: "suspicious-instruction",
  find: (scanned) => [...findWritten(scanned), ...findEncoded(scanned)],
};

function findWritten(scanned: ScannedText): ScanFinding[] {
  const { text, language } = scanned;
  const phrases = findPhrases(text);
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

/** Instructions that are encoded: nobody reads them but a model that is told to, or that decodes what it sees. */
function findEncoded({ original }: ScannedText): ScanFinding[] {
  const findings: ScanFinding[] = [];
  let looked = 0;
  for (const { start, end } of longRuns(original)) {
    const decoded = decodeText(original.slice(start, Math.min(end, start + MAX_BLOB)));
    if (decoded === undefined) continue;
    if (++looked > MAX_BLOBS) break;
    const phrase = findPhrases(decoded).find(({ strength }) => strength !== "weak");
    if (phrase === undefined) continue;
    const message = `${phrase.does}, encoded in base64; read this line before you trust the file`;
    findings.push({ offset: start, rule: "suspicious-instruction", severity: "error", message });
  }
  return findings;
}

/** Runs of `LEAST_BLOB` and more characters of base64. Each holds one of every so many places, so only these are looked at. */
function* longRuns(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let at = LEAST_BLOB - 1; at < text.length; at += LEAST_BLOB) {
    if (!isBase64(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && isBase64(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end < text.length && isBase64(text.charCodeAt(end))) end++;
    if (end - start >= LEAST_BLOB) yield { start, end };
    at = Math.max(at, end - 1);
  }
}

function isBase64(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x2b ||
    unit === 0x2f
  );
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
