/** Names of files that sources import and that are no source code. Pure. */

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
