/**
 * Who may import whom. ARCHITECTURE.md draws the same picture; this file is what `npm run check` enforces.
 *
 * Every rule names a room and lists what the room may see; what is not listed is forbidden. Type-only imports count
 * like all others. `test/checks/import-rules.test.ts` plants forbidden imports and expects each rule to catch its own.
 */

/** Packages that the core may load: the stemmers, which are pure functions over strings. */
const CORE_PACKAGES = "node_modules/(porter2|snowball-stemmers)/";

/** Packages that are bundled into the Worker or into the engine for pages, so nobody installs them. */
const BUNDLED_PACKAGES = "(^|/)node_modules/(@dagrejs|agents|d3-selection|d3-zoom|flexsearch|hono|jose)/";

/** Programs that make what is published: they run in a clone only, and bundle with esbuild. */
const BUNDLERS = "^indexer/(engine|package)/";

/** Rooms of the indexer, from the ground up: each sees those before it. */
const INDEXER_FLOORS = [
  ...["base", "config", "sources", "languages", "parse", "scan", "link", "topics", "index", "open", "publish", "cli"],
  ...["engine", "package"],
];

/** Rooms of the core, and what each sees beside itself and the error types. */
const CORE_ROOMS = {
  bytes: [],
  text: [],
  format: ["bytes", "text"],
  index: ["format", "bytes", "text"],
  code: ["index", "format", "bytes", "text"],
  docs: ["code", "index", "format", "bytes", "text"],
  search: ["docs", "index", "format", "bytes", "text"],
};

/** Floors of what the Worker serves, and what each sees beside itself. */
const FLOORS = {
  surface: ["core/"],
  mcp: ["surface/", "core/"],
  http: ["surface/", "core/"],
  worker: ["http/", "mcp/", "surface/", "core/"],
  web: ["core/", "surface/render/text\\.ts$"],
};

/** A rule that lets files under `room` see the folders in `visible` (and their own) inside `inside`, no others. */
function roomSees(name, comment, room, inside, visible) {
  return {
    name,
    comment,
    severity: "error",
    from: { path: `^${inside}${room}/` },
    to: { path: `^${inside}`, pathNot: [`${room}/`, ...visible].map((folder) => `^${inside}${folder}`) },
  };
}

export default {
  forbidden: [
    {
      name: "core-is-closed",
      comment: "The core is pure: it sees itself and the stemmers, no platform, no other package, no other room.",
      severity: "error",
      from: { path: "^src/core/" },
      to: { pathNot: `^(src/core/|${CORE_PACKAGES})` },
    },
    {
      name: "core-errors-see-nothing",
      comment: "The error types are the bottom of the house.",
      severity: "error",
      from: { path: "^src/core/errors\\.ts$" },
      to: {},
    },
    ...Object.entries(CORE_ROOMS).map(([room, below]) =>
      roomSees(`core-${room}-sees-lower-rooms`, "A room of the core sees the rooms below it.", room, "src/core/", [
        "errors\\.ts$",
        ...below.map((lower) => `${lower}/`),
      ]),
    ),
    ...Object.entries(FLOORS).map(([room, visible]) =>
      roomSees(`${room}-sees-lower-floors`, "A floor sees the floors below it.", room, "src/", visible),
    ),
    {
      name: "nothing-imports-entries",
      comment: "The entries stand on top; only the command `mcp` loads one of them.",
      severity: "error",
      from: { pathNot: "^(test|bench)/|^indexer/cli/commands/mcp\\.ts$" },
      to: { path: "^src/([^/]+|worker/worker)\\.ts$" },
    },
    {
      name: "worker-loads-no-zod",
      comment:
        "Importing `z` brings the whole package into the Worker, 64 kB with gzip; addresses are read by tables of parameters. `import * as z` brings what is used: of the one question that is JSON, nothing that the MCP package lacks. Descriptions of answers are in the Worker's document, not in the Worker.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/http/(api/|pagefind-api\\.ts$)" },
      to: { path: "(^|/)node_modules/zod/|^src/http/api/" },
    },
    {
      name: "indexer-sees-core-and-render-only",
      comment:
        "The indexer is a program of its own. It reads indexes on web hosts as a page does, and writes the file of keys that the Worker reads; names of corpora are checked in one place. Its command `mcp` alone may load the entry src/stdio.ts.",
      severity: "error",
      from: { path: "^indexer/", pathNot: "^indexer/cli/commands/mcp\\.ts$" },
      to: {
        path: "^src/",
        pathNot:
          "^src/(core|surface/render)/|^src/web/(fetch-source|host-error|open-host)\\.ts$|^src/surface/access/(access-file|caller|corpus-name)\\.ts$",
      },
    },
    {
      name: "indexer-has-no-loose-files",
      comment: "Every file of the indexer stands in a room.",
      severity: "error",
      from: { path: "^indexer/[^/]+\\.ts$" },
      to: {},
    },
    ...INDEXER_FLOORS.map((room, floor) =>
      roomSees(
        `indexer-${room}-sees-lower-floors`,
        "A room of the indexer sees the rooms below it.",
        room,
        "indexer/",
        INDEXER_FLOORS.slice(0, floor).map((lower) => `${lower}/`),
      ),
    ),
    {
      name: "mcp-loads-stdio-entry-only",
      comment: "Beside the core and render, the command `mcp` may load src/stdio.ts and nothing else of src/.",
      severity: "error",
      from: { path: "^indexer/cli/commands/mcp\\.ts$" },
      to: { path: "^src/", pathNot: "^src/((core|surface/render)/|stdio\\.ts$)" },
    },
    {
      name: "src-never-sees-indexer",
      comment: "The Worker reads what the indexer wrote; they meet in the format, not in code.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^indexer/" },
    },
    {
      name: "nothing-imports-tests",
      comment: "Tests and benchmarks may import anything; nothing imports them.",
      severity: "error",
      from: { pathNot: "^(test|bench)/|^[^/]+$" },
      to: { path: "^(test|bench)/" },
    },
    {
      name: "product-uses-no-development-packages",
      comment:
        "What users install must not need a package that only development installs, but for those that are bundled. Types are erased.",
      severity: "error",
      from: { path: "^(src|indexer)/", pathNot: BUNDLERS },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"], pathNot: BUNDLED_PACKAGES },
    },
    {
      name: "bundlers-use-esbuild-only",
      comment: "The programs that bundle need one package for that.",
      severity: "error",
      from: { path: BUNDLERS },
      to: {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: ["type-only"],
        pathNot: "(^|/)node_modules/esbuild/",
      },
    },
    {
      name: "command-line-reaches-no-bundled-package",
      comment: "The command line is installed module by module: nothing is bundled into it.",
      severity: "error",
      from: { path: "^indexer/", pathNot: BUNDLERS },
      to: { path: BUNDLED_PACKAGES, reachable: true },
    },
    {
      name: "nothing-imports-bundlers",
      comment: "They are programs of a clone; what users install holds none of them.",
      severity: "error",
      from: { path: "^(src|indexer)/", pathNot: BUNDLERS },
      to: { path: BUNDLERS },
    },
    {
      name: "no-circular",
      comment: "A circle, type-only ones included, means that two files are one.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-unresolvable",
      comment: "An import that leads nowhere. `cloudflare:` modules exist inside the Workers runtime only.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^cloudflare:" },
    },
  ],
  options: {
    // Without this, type-only imports would be invisible to every rule above.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^test/(fixtures|golden)/" },
    enhancedResolveOptions: {
      extensions: [".ts", ".mjs", ".js", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["workerd", "worker", "import", "node", "default", "types"],
      mainFields: ["module", "main", "types"],
    },
  },
};
