/**
 * The packages whose documentation the real corpora consist of, pinned: nothing of them is a dependency.
 */

/** A package on the npm registry, and where in it the pages are. */
export interface DocumentedPackage {
  readonly name: string;
  readonly version: string;
  /** Folder inside the package; all of it when absent. */
  readonly under?: string;
  /** `markdown`: the `.md` and `.mdx` files. `reference`: a page for each documented interface of the `.d.ts` files. */
  readonly kind: "markdown" | "reference";
}

/** A corpus: so many pages of these packages, in this order. */
export interface RealCorpus {
  readonly packages: readonly DocumentedPackage[];
  readonly pages: number;
}

const NEXT: DocumentedPackage = { name: "next", version: "16.4.6", under: "dist/docs", kind: "markdown" };

const MEDIUM: readonly DocumentedPackage[] = [
  NEXT,
  { name: "@mastra/mcp-docs-server", version: "1.2.27", kind: "markdown" },
  { name: "@workos/mcp-docs-server", version: "0.2.0", kind: "markdown" },
  { name: "ai", version: "7.0.173", kind: "markdown" },
  { name: "@voltagent/docs-mcp", version: "2.0.3", kind: "markdown" },
  { name: "stylelint", version: "13.13.1", kind: "markdown" },
  { name: "@typescript-eslint/eslint-plugin", version: "5.62.0", kind: "markdown" },
  { name: "eslint-plugin-jest", version: "29.17.0", kind: "markdown" },
];

const LARGE: readonly DocumentedPackage[] = [
  ...MEDIUM,
  { name: "eslint-plugin-import", version: "2.32.0", kind: "markdown" },
  { name: "eslint-plugin-jsx-a11y", version: "6.10.2", kind: "markdown" },
  { name: "fastify", version: "5.12.8", kind: "markdown" },
  { name: "undici", version: "7.30.2", kind: "markdown" },
  { name: "markdownlint", version: "0.40.0", kind: "markdown" },
  { name: "specweave", version: "1.0.593", kind: "markdown" },
  { name: "claude-flow", version: "3.43.0", kind: "markdown" },
  { name: "claude-flow-novice", version: "2.21.0", kind: "markdown" },
  { name: "bmad-method", version: "6.12.0", kind: "markdown" },
  { name: "@aws-sdk/client-ec2", version: "3.1169.0", under: "dist-types/models", kind: "reference" },
  { name: "@aws-sdk/client-sagemaker", version: "3.1142.0", under: "dist-types/models", kind: "reference" },
  { name: "@aws-sdk/client-quicksight", version: "3.1169.0", under: "dist-types/models", kind: "reference" },
];

/** The real corpora: 475, 3,000 and 10,000 pages. */
export const REAL_CORPORA: Readonly<Record<"small" | "medium" | "large", RealCorpus>> = {
  small: { packages: [NEXT], pages: 475 },
  medium: { packages: MEDIUM, pages: 3000 },
  large: { packages: LARGE, pages: 10_000 },
};
