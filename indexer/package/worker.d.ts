/**
 * The Worker as one module, for `main` of a `wrangler.toml` or for a Worker of your own around it:
 *
 *     export { IndexFiles, QueryInsights, TreelineSession } from "treeline/worker";
 *     export { default } from "treeline/worker";
 *
 * The platform wants all four: classes are named in `wrangler.toml`, as `treeline/wrangler.toml` does.
 */

/** Answers a request. Bindings and settings are those of `treeline/wrangler.toml`. */
declare const worker: {
  fetch(
    request: Request,
    env: object,
    context: { waitUntil(promise: Promise<unknown>): void; passThroughOnException(): void; readonly props: unknown },
  ): Response | Promise<Response>;
};
// biome-ignore lint/style/noDefaultExport: the platform looks for it under this name.
export default worker;

/** Serves immutable index files, so that the platform caches them. */
export const IndexFiles: EntrypointClass;
/** Durable Object that counts questions which found nothing good. */
export const QueryInsights: EntrypointClass;
/** Durable Object of one session. */
export const TreelineSession: EntrypointClass;

/** A class that the platform makes objects of. */
type EntrypointClass = new (context: never, env: never) => object;
