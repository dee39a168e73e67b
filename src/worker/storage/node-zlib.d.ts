/**
 * The one function of `node:zlib` that the Worker uses. Workers have it (`nodejs_compat`), but the types of the Workers
 * runtime do not describe Node's modules, and Node's own types would bring all of Node's globals with them.
 */
declare module "node:zlib" {
  export function inflateRawSync(bytes: Uint8Array, options: { maxOutputLength: number }): Uint8Array<ArrayBuffer>;
}
