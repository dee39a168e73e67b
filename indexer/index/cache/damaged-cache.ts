/** What a build meets when its parse cache does not hold what it lists. */

/** The build starts again without the cache. */
export class DamagedCacheError extends Error {
  constructor() {
    super("the parse cache is damaged");
    this.name = "DamagedCacheError";
  }
}
