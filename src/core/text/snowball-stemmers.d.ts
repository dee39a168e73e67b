/** What the core uses of the package, which brings no types of its own. */
declare module "snowball-stemmers" {
  /** A stemmer of a language. It takes words in lower case. @throws {TypeError} for a language that it does not know. */
  export function newStemmer(language: string): { stem(word: string): string };
  /** Names of all stemmers. */
  export function algorithms(): string[];
}
