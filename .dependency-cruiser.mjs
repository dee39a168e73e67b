/**
 * Who may import whom. ARCHITECTURE.md draws the same picture; this file is what `npm run check` enforces.
 *
 * Every rule names a room and lists what the room may see; what is not listed is forbidden. Type-only imports count
 * like all others. `test/checks/import-rules.test.ts` plants forbidden imports and expects each rule to catch its own.
 */

/** Packages that the core may load: the stemmers, which are pure functions over strings. */
const CORE_PACKAGES = "node_modules/(porter2|snowball-stemmers)/";

/** Packages that are bundled into the Worker or into the engine for pages, so nobody installs them. */
const BUNDLED_PACKAGES = "(^|/)node_modules/(agents|flexsearch|hono|jose)/";

/** Programs that make what is published: they run in a clone only, and bundle with esbuild. */
const BUNDLERS = "^indexer/(engine|package)/";

/** Rooms of the indexer, from the ground up: each sees those before it. */
const INDEXER_FLOORS = [
  ...["base", "config", "sources", "parse", "scan", "link", "topics", "index", "open", "publish", "cli"],
  ...["engine", "package"],
];

/** A rule that lets files under `room` see the folders in `visible` (and their own) inside `inside`, no others. */
function roomSees(name, comment, room, inside, visible) {
  return {
    name,
    comment,
    severity: "error",
    from: { path: `^${inside}${room}` },
    to: { path: `^${inside}`, pathNot: visible.map((folder) => `^${inside}${folder}`) },
  };
}

/** The same inside `src/core/`, where every room may also see the error types. */
function coreRoomSees(name, comment, room, visible) {
  return roomSees(name, comment, `${room}/`, "src/core/", ["errors\\.ts$", ...visible.map((folder) => `${folder}/`)]);
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
    coreRoomSees("core-bytes-sees-itself", "Bytes know no text and no format.", "bytes", ["bytes"]),
    coreRoomSees("core-text-sees-itself", "Text analysis knows no bytes and no format.", "text", ["text"]),
    coreRoomSees("core-format-sees-bytes-and-text", "The format is built on bytes and text.", "format", [
      "format",
      "bytes",
      "text",
    ]),
    coreRoomSees("core-index-sees-format", "Reading an index needs the format and what is below it.", "index", [
      "index",
      "format",
      "bytes",
      "text",
    ]),
    coreRoomSees(
      "core-search-sees-index-and-tree",
      "Search answers in documents and sections, so it sees the tree's model; the tree never sees search.",
      "search",
      ["search", "tree", "index", "format", "bytes", "text"],
    ),
    ...["tree", "graph", "taxonomy"].map((room) =>
      coreRoomSees(`core-${room}-sees-index`, "A reader of the index sees no other reader.", room, [
        room,
        "index",
        "format",
        "bytes",
        "text",
      ]),
    ),
    coreRoomSees("core-map-sees-readers", "A map puts together what the readers of the index find.", "map", [
      "map",
      "tree",
      "graph",
      "taxonomy",
      "index",
      "format",
      "bytes",
      "text",
    ]),
    ...["storage", "render", "session", "access", "insights"].map((room) =>
      roomSees(
        `${room}-sees-core-only`,
        "Rooms of the second floor see the core, not one another.",
        `${room}/`,
        "src/",
        [`${room}/`, "core/"],
      ),
    ),
    roomSees(
      "element-sees-core-only",
      "The search element runs in a browser: the core and itself. What is safe to show of a text is one rule for all.",
      "element/",
      "src/",
      ["element/", "core/", "render/text\\.ts$"],
    ),
    ...["mcp", "http"].map((room) =>
      roomSees(
        `${room}-sees-lower-floors`,
        "The two surfaces see the floors below them, not each other. People's surface shares the order of suggestions with the element.",
        `${room}/`,
        "src/",
        [
          `${room}/`,
          "core/",
          "storage/",
          "render/",
          "session/",
          "access/",
          "insights/",
          ...(room === "http" ? ["element/order-suggestions\\.ts$"] : []),
        ],
      ),
    ),
    {
      name: "nothing-imports-entries",
      comment: "The entries stand on top; only the command line loads one of them.",
      severity: "error",
      from: { pathNot: "^(test|bench)/|^indexer/cli/main\\.ts$" },
      to: { path: "^src/[^/]+\\.ts$", pathNot: "^src/worker-services\\.ts$" },
    },
    {
      name: "worker-services-for-the-worker",
      comment: "What the Worker's routes need is put together for them alone.",
      severity: "error",
      from: { pathNot: "^src/worker\\.ts$" },
      to: { path: "^src/worker-services\\.ts$" },
    },
    {
      name: "worker-loads-no-zod",
      comment:
        "Importing `z` brings the whole package into the Worker, 64 kB with gzip; addresses are read by tables of parameters. Descriptions of answers are in the Worker's document, not in the Worker.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/http/api/" },
      to: { path: "(^|/)node_modules/zod/|^src/http/api/" },
    },
    {
      name: "indexer-sees-core-and-render-only",
      comment:
        "The indexer is a program of its own. It reads indexes on web hosts as a page does, and writes the file of keys that the Worker reads; names of corpora are checked in one place. Its command line alone may load the entry src/stdio.ts.",
      severity: "error",
      from: { path: "^indexer/", pathNot: "^indexer/cli/main\\.ts$" },
      to: {
        path: "^src/",
        pathNot:
          "^src/(core|render)/|^src/element/(fetch-source|host-error|open-host|read-bounded)\\.ts$|^src/access/(access-file|caller|corpus-name)\\.ts$",
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
        `${room}/`,
        "indexer/",
        INDEXER_FLOORS.slice(0, floor + 1).map((lower) => `${lower}/`),
      ),
    ),
    {
      name: "cli-loads-stdio-entry-only",
      comment: "Beside the core and render, the command line may load src/stdio.ts and nothing else of src/.",
      severity: "error",
      from: { path: "^indexer/cli/main\\.ts$" },
      to: { path: "^src/", pathNot: "^src/((core|render)/|stdio\\.ts$)" },
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
