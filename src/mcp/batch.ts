/**
 * Batches of the 2025 era: several messages in one request. Only its first version has them, so they are kept small: a batch
 * counts as its messages, and holds no more work than a client can mean by one.
 *
 * Pure: values in, values out.
 */

/** Messages of one batch. */
export const MAX_BATCH_MESSAGES = 10;

/** A batch that can be answered, or why it cannot. What is no batch passes as it is. */
export function readBatch(body: unknown): { readonly body: unknown } | { readonly refusal: string } {
  if (!Array.isArray(body)) return { body };
  const messages: readonly unknown[] = body;
  if (messages.length > MAX_BATCH_MESSAGES) {
    return { refusal: `A batch holds ${MAX_BATCH_MESSAGES} messages at most; this one has ${messages.length}.` };
  }
  const requests = messages.filter((message) => memberOf(message, "method") !== undefined);
  const ids = requests.map((message) => memberOf(message, "id")).filter((id) => id !== undefined);
  // Of two requests with one id only the first would be answered.
  if (new Set(ids).size < ids.length) return { refusal: "Two requests of this batch have the same id." };
  // Who cancels a request gets no answer to it, and the batch would be waited for without end: all answers go together.
  const kept = messages.filter((message) => memberOf(message, "method") !== "notifications/cancelled");
  return { body: kept.length === 0 ? messages : kept };
}

function memberOf(message: unknown, name: string): unknown {
  return typeof message === "object" && message !== null ? Reflect.get(message, name) : undefined;
}
