/** The environment in which checks and tests start programs: the project's own binaries first, and nothing chatty. */
import { delimiter, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Folder of the checkout. */
export const projectRoot = fileURLToPath(new URL("../../", import.meta.url));

/** Where Node keeps what it compiled: many programs here run one another's code for half a second. */
const COMPILED = join(projectRoot, "node_modules", ".cache", "treeline", "compiled");

/** Keeps wrangler and workerd from asking, reporting and fetching; tests run offline. */
const QUIET = {
  CI: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: "true",
};

/** The current environment with `node_modules/.bin` first on PATH (it holds the Node that the project needs). */
export function quietEnvironment(): NodeJS.ProcessEnv {
  const path = [join(projectRoot, "node_modules", ".bin"), process.env["PATH"] ?? ""].join(delimiter);
  return { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...QUIET, PATH: path };
}
