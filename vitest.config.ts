/**
 * Five kinds of tests.
 *
 * - `node`, `node-programs`: pure code and the indexer, in Node. Fast; `npm run test:unit` runs these alone.
 * - `workers-…`: inside the Workers runtime, the Worker's own tests, and those of the core's bytes once more. Files of the first
 *   have a local R2 each, but for those that read one index and change nothing (`workers-served`, `workers-groups`): they share it.
 * - `alone`: what measures the memory of its process, in a process of its own: `*.alone.test.ts`.
 * - `browser`: pages in Chromium, against the Worker and against static files.
 * - `end-to-end`: real processes (command line, Worker, MCP clients).
 */
import { availableParallelism } from "node:os";
import process from "node:process";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { writeAssets } from "./indexer/engine/bundle-pages.ts";

/** A property test with many cases, or a cold Workers runtime, takes seconds, and ten times as long on a busy machine. */
const UNIT_TIMEOUT_MS = 120_000;
/** A page takes a second, and many where other programs want the processor as well. */
const BROWSER_TIMEOUT_MS = 120_000;
/** An end-to-end test starts programs, builds an index and waits for answers. */
const END_TO_END_TIMEOUT_MS = 180_000;
/** No test is about how long something takes: what is waited for may take as long as a test. */
const PATIENCE = { testTimeout: UNIT_TIMEOUT_MS, hookTimeout: UNIT_TIMEOUT_MS, expect: { poll: { timeout: 20_000 } } };
/** Of every kind of test: random cases that are the same in each run. */
const seed = process.env["SEED"] ?? "";
/** The share of their random cases that property tests try; all of them where somebody asks for a seed. */
const setUp = (shareOfCases: number) => ({
  setupFiles: ["./test/support/seed.ts"],
  provide: { seed, shareOfCases: seed === "" ? shareOfCases : 1 },
});

/** Tests of the Worker that read the index of `publishServedIndex`, or none, and leave nothing behind. */
const SERVED = [
  "{discovery,mcp-bad-input,mcp-endpoint,package-types,page-scripts,pagefind,routes}",
  "storage/{corpora,corpus-list,generations,inflate,patience}",
].map((names) => `test/worker/${names}.test.ts`);
/** The same of `publishGroups`. */
const GROUPS = [
  "test/worker/{access-matrix,access-protocol,explorer-access,explorer-graph,http-bad-input,limits,openapi,pagefind-access}.test.ts",
];

/**
 * Tests in Node that start git, grep and other programs over and over: a process that holds what hundreds of files left starts
 * one more slowly.
 */
const PROGRAMS = [
  "test/{bench,checks,indexer/cli,indexer/sources}/**/*.test.ts",
  "test/core/search/grep-lines.test.ts",
  "test/indexer/index/built-site.test.ts",
];
const NOT_IN_NODE = ["test/{worker,browser,end-to-end,fixtures,golden}/**", "**/*.alone.test.ts"];

/** A plugin for each project: it keeps which one it belongs to. */
const inWorkersRuntime = () =>
  cloudflareTest({
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: { bindings: { LOG_LEVEL: "error", TIME_LIMITS: "off", TREELINE_SECRET: "a secret for tests" } },
  });

// The Worker's static assets, which every project that runs it serves.
await writeAssets();

export default defineConfig({
  test: {
    // One more than there are processors: end-to-end tests wait for programs half of their time.
    maxWorkers: availableParallelism() + 1,
    projects: [
      ...[
        { name: "node", include: ["test/**/*.test.ts"], exclude: [...NOT_IN_NODE, ...PROGRAMS] },
        { name: "node-programs", include: PROGRAMS, exclude: NOT_IN_NODE },
      ].map((files) => ({
        // Files share the modules that they load, which halves the time: only tests change what a module holds.
        test: { ...setUp(0.15), ...files, isolate: false, ...PATIENCE },
      })),
      {
        test: {
          ...setUp(0.5),
          name: "alone",
          include: ["test/**/*.alone.test.ts"],
          ...PATIENCE,
          // Memory is read when some collections in a row freed nothing, for each kind of value.
          testTimeout: 2 * UNIT_TIMEOUT_MS,
        },
      },
      {
        plugins: [inWorkersRuntime()],
        test: {
          ...setUp(0.1),
          name: "workers-core",
          // The core keeps nothing that one file could leave to another: a runtime for each would take twice as long.
          isolate: false,
          // The rest of the core is the same in Node: pure functions over what these give.
          include: ["test/core/bytes/**/*.test.ts"],
          ...PATIENCE,
        },
      },
      {
        plugins: [inWorkersRuntime()],
        test: {
          ...setUp(0.2),
          name: "workers-own",
          include: ["test/worker/**/*.test.ts"],
          exclude: [...SERVED, ...GROUPS],
          ...PATIENCE,
        },
      },
      ...Object.entries({ "workers-served": SERVED, "workers-groups": GROUPS }).map(([name, include]) => ({
        plugins: [inWorkersRuntime()],
        test: { ...setUp(0.2), name, isolate: false, include, ...PATIENCE },
      })),
      {
        test: {
          ...setUp(0.5),
          name: "browser",
          // Files share one browser, and the connection to it.
          isolate: false,
          globalSetup: ["./test/browser/start-browser.ts"],
          include: ["test/browser/**/*.test.ts"],
          testTimeout: BROWSER_TIMEOUT_MS,
          hookTimeout: BROWSER_TIMEOUT_MS,
          // What a page shows is looked at until it is there.
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          ...setUp(0.5),
          name: "end-to-end",
          include: ["test/end-to-end/**/*.test.ts"],
          testTimeout: END_TO_END_TIMEOUT_MS,
          hookTimeout: END_TO_END_TIMEOUT_MS,
        },
      },
    ],
  },
});
