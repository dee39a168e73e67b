/**
 * Kinds of files by their paths: tests, by the customs of languages, and assets, which bundlers load and no compiler parses.
 */
import { CODE_LANGUAGES, factsOf } from "../text/code-languages.ts";

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|testdata|e2e)\//i;
/** Names with a part that says so, and what languages have besides. */
const TEST_NAMES = [
  "[^/]*[._-](?:test|spec|e2e)s?\\.[^/.]+",
  ...CODE_LANGUAGES.flatMap((language) => factsOf(language).testNames ?? []),
];
const TEST_NAME = new RegExp(`^(?:${TEST_NAMES.join("|")})$`);

export function isTestFile(path: string): boolean {
  return TEST_FOLDER.test(path) || TEST_NAME.test(path.slice(path.lastIndexOf("/") + 1));
}

/** Folders and files of examples, benchmarks and made-up data. */
const SAMPLE =
  /(?:^|\/)(?:__fixtures__|__mocks__|bench(?:es|marks)?|demos?|examples?|fixtures?|mocks?|samples?|stories|test-data|testing)\/|[._-](?:bench|stories)\.[^/]+$/i;

/** Whether a path is that of a test, or of what is written to be looked at or tried. */
export function isSampleFile(path: string): boolean {
  return isTestFile(path) || SAMPLE.test(path);
}

/** Whether a path is that of code which is not the project's own work to use: a sample, or an installed package. */
export function isAsideFile(path: string): boolean {
  return isSampleFile(path) || /(?:^|\/)(?:node_modules|vendor)\//.test(path);
}

/** Endings of what bundlers load and compilers do not parse. */
const ASSET =
  /\.(?:css|scss|sass|less|styl|pcss|json5?|jsonc|ya?ml|toml|csv|tsv|txt|mdx?|html?|xml|svg|png|jpe?g|gif|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp[34]|webm|ogg|wav|pdf|wasm|node|glsl|vert|frag|wgsl|graphql|gql|sql|proto|hbs|ejs|njk)$/i;

/** Whether a path is that of a style, data, a picture or the like. */
export function isAssetPath(path: string): boolean {
  return ASSET.test(path);
}
