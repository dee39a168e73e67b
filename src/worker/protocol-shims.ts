/**
 * Stands in for `@modelcontextprotocol/server/_shims` in the Worker's bundle (`alias` in `wrangler.toml`). The package's own brings a
 * validator of JSON Schema, 7 kB compressed, for answers to questions that a server asks of its client; this server asks none.
 */
import { preloadSchemas } from "@modelcontextprotocol/server";

// At the start of an isolate, as the package does it: a request would pay for it.
preloadSchemas();

/** Validates nothing. @throws {Error} when it is asked to. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("this server asks its clients nothing");
  }
}

/** Standard input and output, which a Worker lacks. */
export const process = {};
