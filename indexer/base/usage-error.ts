/** The command was called in a way that it cannot be. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
