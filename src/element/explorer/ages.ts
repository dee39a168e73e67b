/** Says beside each time how long ago it was: pages are kept, so the server cannot. */

import { describeAge } from "./describe-age.ts";

/** Adds its age to each `<time>` with a date. @param now Milliseconds since 1970. */
export function addAges(root: ParentNode, now: number): void {
  for (const time of root.querySelectorAll<HTMLTimeElement>("time[datetime]")) {
    const age = describeAge(Date.parse(time.dateTime), now);
    if (age !== undefined) time.append(` (${age})`);
  }
}
