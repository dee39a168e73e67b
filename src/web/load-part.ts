/**
 * Parts of the engine that are loaded on demand. The bundler puts this in the place of every `import()` in the engine.
 *
 * Such a file names nothing that it imports: it is a function of what the engine hands over. So the engine may have any address
 * (`load-module.ts`), and a part always has the functions of the engine that loaded it.
 */
import { loadModule } from "./load-module.ts";

/** A part, as the bundler writes it: from what the engine has to what the part exports. */
type MakePart = (engine: object) => unknown;

/** What the engine hands over, by the names that it has there, added by the bundler; and each part once it is made, by its own. */
declare const $engine: Record<string, unknown>;

/**
 * What a part exports. It is made once, whatever address it came from.
 *
 * @param name Relative to the engine.
 */
export async function loadPart(name: string): Promise<unknown> {
  const { default: make } = (await loadModule(name)) as { readonly default: MakePart };
  $engine[name] ??= make($engine);
  return $engine[name];
}
