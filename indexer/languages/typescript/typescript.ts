/** TypeScript and JavaScript, which share their modules. */
import { pickOnly } from "../base/imports.ts";
import type { CodeWorld, Family, Language } from "../base/language.ts";
import { readJsonManifest } from "../base/manifests.ts";
import { addToList } from "../base/world.ts";
import { createScriptResolver, findEntries } from "./resolve.ts";
import { CONFIG_GLOBS, isTsconfig, listExtended } from "./tsconfig.ts";

const FAMILY: Family = {
  name: "script",
  hasExports: true,
  declaresDefault: (language) => /^typescript|^tsx/.test(language),
  importsAssets: true,
  createModules: (linking) => ({ resolve: createScriptResolver(linking) }),
  createNames: ({ world }) => {
    const globals = readGlobals(world);
    return { resolveFree: (_, name, wantType) => pickOnly(world, globals.get(name), wantType) };
  },
};

/** Names at the top of scripts that import and export nothing: those are seen everywhere. */
function readGlobals(world: CodeWorld): Map<string, number[]> {
  const globals = new Map<string, number[]>();
  for (const [file, { code }] of world.files.entries()) {
    if (world.families[file] !== FAMILY || code.imports.some(({ from }) => from === -1)) continue;
    if (code.symbols.some(({ flags, exportedAs }) => flags.includes("exported") || exportedAs.length > 0)) continue;
    for (const [name, symbols] of world.names(file).top) {
      for (const symbol of symbols) addToList(globals, name, symbol);
    }
  }
  return globals;
}

export const TYPESCRIPT: Language = {
  parser: {
    languages: ["typescript", "tsx", "javascript", "jsx"],
    load: async () => (await import("./parse.ts")).parseTypeScript,
  },
  family: FAMILY,
  manifests: [{ kind: "npm", files: ["package.json"], isReadBesideGlobs: true, read: readJsonManifest }],
  configs: { globs: CONFIG_GLOBS, isConfig: isTsconfig, listFurther: listExtended },
  constructors: ["constructor"],
  findEntries,
  globals: [
    "Array ArrayBuffer AsyncFunction AsyncGenerator AsyncIterable AsyncIterator Atomics BigInt Boolean DataView Date Function",
    "Generator Infinity Intl Iterable Iterator JSON Map Math NaN Number Object Promise PromiseLike Proxy ReadonlyArray",
    "ReadonlyMap ReadonlySet Reflect RegExp Set SharedArrayBuffer String Symbol WeakMap WeakRef WeakSet WebAssembly",
    "Float32Array Float64Array Int8Array Int16Array Int32Array Uint8Array Uint8ClampedArray Uint16Array Uint32Array BigInt64Array",
    "Partial Required Readonly Record Pick Omit Exclude Extract NonNullable Parameters ReturnType InstanceType Awaited ThisType",
    "AbortController AbortSignal Blob BroadcastChannel Cache CacheStorage CloseEvent CompressionStream Crypto CryptoKey CustomEvent",
    "DOMException DecompressionStream Document Element Event EventEmitter EventSource EventTarget File FileList FileReader",
    "FormData HTMLElement Headers IntersectionObserver MessageChannel MessageEvent MessagePort MutationObserver Navigator Node",
    "NodeList Performance PerformanceObserver ReadableStream Request ResizeObserver Response Storage SubtleCrypto TextDecoder",
    "TextEncoder TransformStream URL URLSearchParams WebSocket Window Worker WritableStream XMLHttpRequest Buffer Process",
    "Duplex Readable Writable Transform PassThrough Stream Server Socket Agent IncomingMessage ServerResponse ClientRequest",
    "addEventListener removeEventListener dispatchEvent clearImmediate clearInterval clearTimeout cancelAnimationFrame",
    "requestAnimationFrame requestIdleCallback setImmediate setInterval setTimeout queueMicrotask structuredClone decodeURI",
    "decodeURIComponent encodeURI encodeURIComponent globalThis hasOwnProperty isFinite isNaN isPrototypeOf parseFloat parseInt",
    "innerHTML localStorage sessionStorage toLocaleString toString valueOf constructor prototype __proto__ __dirname __filename",
    "FinalizationRegistry AbortError OmitThisParameter fetch node_modules package_json diagnostics_channel child_process",
    "worker_threads async_hooks string_decoder perf_hooks async_local_storage AsyncLocalStorage AsyncResource",
    "JavaScript TypeScript CoffeeScript NodeJS",
  ],
};
