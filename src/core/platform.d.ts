/**
 * The only platform globals that the core may use, in the only form that it may use them: UTF-8 and base64.
 *
 * The core compiles against the bare language (`lib: ["es2022"]`), which knows none of them. Workers, Node and
 * browsers have them all, in this form, and text cannot become bytes without them. Everything else that a platform
 * could offer (streams, compression, timers, hashing) reaches the core as a parameter. Only the core's own
 * tsconfig includes this file; the other rooms see the declarations of their platform.
 */

/** Text to UTF-8. Lone surrogates become U+FFFD. */
declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, target: Uint8Array): { read: number; written: number };
}

/**
 * UTF-8 to text. With `fatal`, bytes that are not UTF-8 throw a `TypeError`; without, they become U+FFFD.
 * Both options are required where one is given, as in the types of the Workers runtime.
 */
declare class TextDecoder {
  constructor(encoding?: "utf-8", options?: { fatal: boolean; ignoreBOM: boolean });
  decode(bytes?: Uint8Array): string;
}

/** Characters, each for a byte, to base64 and back. */
declare function btoa(text: string): string;
declare function atob(text: string): string;
