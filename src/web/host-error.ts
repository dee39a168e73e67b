/** Problems with an index or its host, in words for the person who runs the site. */
import { InputError } from "../core/errors.ts";

/**
 * What is wrong: `unreachable` (no answer, or none that this page may read), `refused` (an error status), `no-index` (no
 * pointer), `not-an-index`, `page-instead-of-file` (HTML for what is missing), `missing-file`, `no-ranges` (whole files
 * only, and too large ones), `encoded` (compressed on the way), `newer-format`.
 */
export type HostProblem =
  | "unreachable"
  | "refused"
  | "no-index"
  | "not-an-index"
  | "page-instead-of-file"
  | "missing-file"
  | "no-ranges"
  | "encoded"
  | "newer-format";

/** An index cannot be read from where it was said to be; the message says what to change. */
export class HostError extends InputError {
  readonly problem: HostProblem;

  constructor(problem: HostProblem, message: string, options?: { readonly cause: unknown }) {
    super(message);
    this.problem = problem;
    if (options !== undefined) this.cause = options.cause;
  }
}
