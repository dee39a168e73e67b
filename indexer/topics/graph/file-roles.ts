/**
 * What files are run or read by without an import, as far as their names tell. Pure.
 */
import { isTestPath } from "../../languages/base/world.ts";

/** Tests, their fixtures, stories and examples: runners find them by their names. */
const TEST_NAME =
  /(?:[._-](?:test|tests|spec|e2e|stories|bench)\.[^/]+$)|(?:^|\/)(?:test_[^/]*|[^/]*_test|[^/]*_spec|conftest)\.\w+$|(?:^|\/)\w+(?:Tests?|Spec)\.\w+$/;
const TEST_FOLDER = /(?:^|\/)(?:spec|specs|e2e|__mocks__|mocks|testing|bench|benches|benchmarks|stories|demos?)\//;

/** Settings of tools, which those tools load. */
const CONFIG_NAME =
  /(?:^|\/)(?:[^/]*\.(?:config|conf|setup)\.[^/]+|\.[^/]+|conf\.py|setup\.py|noxfile\.py|fabfile\.py|gulpfile\.\w+|gruntfile\.\w+|jakefile\.\w+|webpack\.[^/]+|rollup\.[^/]+|karma\.[^/]+|build\.rs|package\.swift|build\.gradle\.kts|settings\.gradle\.kts)$/i;

/** Where programs, packages and pages of frameworks begin. */
const ENTRY_NAME =
  /(?:^|\/)(?:index|main|cli|server|worker|app|program|application|manage|wsgi|asgi|lib|mod|__init__|__main__|middleware|instrumentation)\.\w+$/i;
const ROUTE_NAME =
  /(?:^|\/)(?:page|layout|route|template|loading|error|not-found|default|head|sitemap|robots|\+\w+(?:\.server)?)\.(?:[cm]?[jt]sx?)$/;
const ENTRY_FOLDER = /(?:^|\/)(?:bin|cmd|scripts?|tools|pages|routes|migrations)\//;

/** Endings of what is compiled or run by itself: declarations that the compiler is given, shell scripts, units of C. */
const STANDING = /\.(?:d\.[cm]?ts|pyi|sh|bash|c|cc|cpp|cxx|c\+\+)$/;

/** Whether a file is a test or belongs to one. */
export function isTestFile(path: string): boolean {
  return isTestPath(path) || TEST_FOLDER.test(path) || TEST_NAME.test(path);
}

/** Whether a tool reads the file as its settings. */
export function isConfigFile(path: string): boolean {
  return CONFIG_NAME.test(path);
}

/** Whether something is started at the file by convention. */
export function isConventionalEntry(path: string): boolean {
  return ENTRY_NAME.test(path) || ROUTE_NAME.test(path) || ENTRY_FOLDER.test(path) || STANDING.test(path);
}
