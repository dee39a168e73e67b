/** What `cloudflare:workers` offers in tests: the bindings of `wrangler.toml` and the exports of the Worker. */
declare namespace Cloudflare {
  interface Env {
    readonly ASSETS: Fetcher;
    readonly INDEX: R2Bucket;
    readonly INSIGHTS: DurableObjectNamespace<import("../../src/worker/insights/query-insights.ts").QueryInsights>;
    readonly SESSIONS: DurableObjectNamespace<import("../../src/worker/session/session.ts").TreelineSession>;
  }
  interface GlobalProps {
    mainModule: typeof import("../../src/worker/worker.ts");
  }
}
