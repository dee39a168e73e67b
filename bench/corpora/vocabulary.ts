/**
 * An invented vocabulary, and draws from it by the law of Zipf and Mandelbrot.
 *
 * The word of rank r stands with a frequency proportional to 1 / (r + 2.7)^1.05 (Mandelbrot, "An informational theory of
 * the statistical structure of language", 1953, with values usual for English). The first ranks are English function
 * words, so that stop words take the part of a text that they do; the others are made of syllables.
 */
import { isStopWord } from "../../src/core/text/analyze.ts";

/** Different words at most; a text of 80 million words drawn this way holds most of them. */
const WORDS = 400_000;
const SHIFT = 2.7;
const EXPONENT = 1.05;
/** The commonest ones, in the order of their frequency in English. */
const FUNCTION_WORDS =
  "the of and to a in is that for it as with on be by this are or an from at can you which not will if when use".split(
    " ",
  );
const CONSONANTS = "b c d f g h j k l m n p r s t v w z br cl dr fl gr pl pr sk sp st str tr".split(" ");
const VOWELS = "a e i o u ai ea io ou".split(" ");
const ENDINGS = ["", "n", "r", "l", "t", "s", "m", "x"];
const SYLLABLES = CONSONANTS.length * VOWELS.length * ENDINGS.length;
/** Prime to the number of syllables and pairs of them, so that neighbouring ranks are unlike. */
const STRIDE = 1_000_003;

/** Words by rank. */
export interface Vocabulary {
  /** The word of a rank from 0 on. */
  readonly word: (rank: number) => string;
  /** A rank for a number in [0, 1). */
  readonly draw: (random: number) => number;
  /** Ranks from which on words carry meaning. */
  readonly functionWords: number;
  readonly size: number;
}

/** The one vocabulary of all generated corpora. */
export function makeVocabulary(): Vocabulary {
  const words = listWords();
  const limits = new Float64Array(WORDS);
  let sum = 0;
  for (let rank = 0; rank < WORDS; rank++) {
    sum += (rank + 1 + SHIFT) ** -EXPONENT;
    limits[rank] = sum;
  }
  // Where to begin to look: most draws fall on few ranks, so a guide leaves a step or two to do.
  const guide = new Uint32Array(WORDS + 1);
  for (let slot = 0, rank = 0; slot <= WORDS; slot++) {
    while (rank < WORDS - 1 && (limits[rank] as number) < (slot / WORDS) * sum) rank++;
    guide[slot] = rank;
  }
  return {
    word: (rank) => words[rank] as string,
    draw(random) {
      let rank = guide[Math.floor(random * WORDS)] as number;
      while (rank < WORDS - 1 && (limits[rank] as number) < random * sum) rank++;
      return rank;
    },
    functionWords: FUNCTION_WORDS.length,
    size: WORDS,
  };
}

/** Function words, then invented ones: two syllables for the frequent ones, three for the others. */
function listWords(): string[] {
  const seen = new Set<string>();
  const words = [...FUNCTION_WORDS];
  const twos = SYLLABLES ** 2;
  for (let at = 0; words.length < WORDS; at++) {
    const pair = Number((BigInt(at) * BigInt(STRIDE)) % BigInt(twos));
    const stem = syllable(pair % SYLLABLES) + syllable(Math.floor(pair / SYLLABLES));
    const word = at < 20_000 ? stem : stem + syllable((at * 7) % SYLLABLES);
    if (isStopWord(word) || seen.has(word)) continue;
    seen.add(word);
    words.push(word);
  }
  return words;
}

function syllable(number: number): string {
  const consonant = CONSONANTS[number % CONSONANTS.length];
  const vowel = VOWELS[Math.floor(number / CONSONANTS.length) % VOWELS.length];
  return `${consonant}${vowel}${ENDINGS[Math.floor(number / CONSONANTS.length / VOWELS.length)]}`;
}
