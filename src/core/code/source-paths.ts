/**
 * Kinds of files by their paths: tests, by the customs of languages, and assets, which bundlers load and no compiler parses.
 */

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|testdata|e2e)\//i;
/** `a.test.ts`, `a_spec.rb`, `a_test.go`, `test_a.py`, `conftest.py`, `StoreTest.java`, `StoreTests.cs`. */
const TEST_NAME =
  /(?:^|\/)(?:[^/]*[._-](?:test|spec|e2e)s?\.[^/.]+|test_[^/]*\.py|conftest\.py|[^/]*[a-z0-9]Tests?\.(?:java|kt|cs|php|swift|scala))$/;

/** Whether a path is that of a test. */
export function isTestFile(path: string): boolean {
  return TEST_FOLDER.test(path) || TEST_NAME.test(path);
}

/** Endings of what bundlers load and compilers do not parse. */
const ASSET =
  /\.(?:css|scss|sass|less|styl|pcss|json5?|jsonc|ya?ml|toml|csv|tsv|txt|mdx?|html?|xml|svg|png|jpe?g|gif|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp[34]|webm|ogg|wav|pdf|wasm|node|glsl|vert|frag|wgsl|graphql|gql|sql|proto|vue|svelte|astro|hbs|ejs|njk)$/i;

/** Whether a path is that of a style, data, a picture, a single-file component or the like. */
export function isAssetPath(path: string): boolean {
  return ASSET.test(path);
}

/** The path in an import: without what bundlers read behind `?` and before `!`. */
export function pathOfSpecifier(specifier: string): string {
  return specifier.replace(/^.*!/, "").replace(/[?].*$/, "");
}
