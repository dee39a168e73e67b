/**
 * Work on many things, a few at a time.
 */

/**
 * Do the work for each of some things, at most so many at a time, and wait for all. After a failure nothing new is begun; it is
 * thrown when what is under way has ended.
 */
export async function inParallel<T>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const waiting = [...things];
  const failures: unknown[] = [];
  const take = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && failures.length === 0; next = waiting.shift()) {
      await work(next).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  if (failures.length > 0) throw failures[0];
}
