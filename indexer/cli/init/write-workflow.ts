/**
 * The text of a workflow that indexes every push and every pull request with the Action. Pure.
 */
import { ACTION } from "./published-names.ts";

/** What stands in a workflow. */
export interface WorkflowSettings {
  /** Name of the workflow, that of its file. */
  readonly workflow: string;
  readonly branch: string;
  /** Folder of the project in its repository, `.` for the top. */
  readonly root: string;
  /** Account of Cloudflare; `""` = a variable of the repository. */
  readonly account: string;
  readonly bucket: string;
}

/** Names under which a repository keeps what the workflow needs. */
export const SECRET_NAMES = { id: "R2_ACCESS_KEY_ID", secret: "R2_SECRET_ACCESS_KEY" } as const;
/** Variable of the repository for the account. */
export const ACCOUNT_VARIABLE = "CLOUDFLARE_ACCOUNT_ID";

/** The text. */
export function writeWorkflow({ workflow, branch, root, account, bucket }: WorkflowSettings): string {
  return `# Indexes every push to ${branch} and publishes the index; on pull requests it only says what would change.
name: ${workflow}
on:
  push:
    branches: [${JSON.stringify(branch)}]
  pull_request:

permissions:
  contents: read

# One publish after another: the newest push is what is served at the end.
concurrency:
  group: ${workflow}-\${{ github.ref }}

jobs:
  index:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
      - uses: actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0
        with:
          node-version: 24
      - uses: ${ACTION}
        with:
          root: ${quoteFolder(root)}
          account: ${account === "" ? `\${{ vars.${ACCOUNT_VARIABLE} }}` : JSON.stringify(account)}
          bucket: ${JSON.stringify(bucket)}
          access-key-id: \${{ secrets.${SECRET_NAMES.id} }}
          secret-access-key: \${{ secrets.${SECRET_NAMES.secret} }}
`;
}

/** A folder as a text of YAML, in which GitHub finds no expression either. */
function quoteFolder(root: string): string {
  return JSON.stringify(root).replaceAll(/\$\{\{/g, (opening) => `\${{ '${opening}' }}`);
}
