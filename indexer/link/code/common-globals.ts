/** Names that languages and their platforms give to every program: a page that says them speaks of no code at hand. Pure. */

const GLOBALS: ReadonlySet<string> = new Set(
  [
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
    "node_modules package_json diagnostics_channel child_process worker_threads async_hooks string_decoder perf_hooks",
    "async_local_storage AsyncLocalStorage AsyncResource camelCase PascalCase snake_case kebab_case",
    "isinstance issubclass staticmethod classmethod frozenset bytearray memoryview enumerate __init__ __main__ __name__ __file__",
    "__all__ __doc__ __dict__ __class__ __call__ __enter__ __exit__ __iter__ __next__ __repr__ __str__ NotImplemented StopIteration",
    "StopAsyncIteration GeneratorExit KeyboardInterrupt SystemExit BaseException",
    "FinalizationRegistry AbortError OmitThisParameter fetch DurableObject Foo Bar Baz Class Container Parent Child Sub Super",
    "GitHub GitLab JavaScript TypeScript CoffeeScript NodeJS GraphQL PostgreSQL MySQL MongoDB OpenAPI WebAssembly",
  ].flatMap((line) => line.split(" ")),
);
/** Errors and warnings of languages: `TypeError`, `ValueError`, `DeprecationWarning`. */
const RAISED =
  /^(?:Aggregate|Arithmetic|Assertion|Attribute|Connection|Deprecation|Encoding|Eval|FileNotFound|IO|Import|Index|Key|Lookup|Memory|ModuleNotFound|Name|NotImplemented|OS|Overflow|Permission|Range|Recursion|Reference|Resource|Runtime|Syntax|System|Timeout|Type|UR[IL]|Unicode|User|Value|ZeroDivision)?(?:Error|Exception|Warning)$/;

/** Whether a name is such a one. */
export function isCommonGlobal(name: string): boolean {
  return GLOBALS.has(name) || RAISED.test(name);
}
