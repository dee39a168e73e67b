/**
 * Prove that damage to an index never gives a wrong answer.
 *
 *   npm run prove:damage -- [SEED]
 *
 * Takes a small real index of two access groups, with directories of two levels, and damages it: every bit of every byte of
 * pointer, root, log and manifest, each of these cut at every length, the start of every chunk, bytes of packs drawn with
 * SEED (1), packs cut, files gone, exchanged, of another index with the same layout, longer, of another version, chunks
 * exchanged. With each fault it asks the public functions of the core, which must answer as on the whole index or end with
 * a typed error. Ends with 1 at the first that does not.
 */
import { proveDamage } from "../test/support/damage.ts";

const [seedText = "1"] = process.argv.slice(2);
const reports = await proveDamage(
  Number(seedText),
  { bitsOfSmall: 8, stepOfSmall: 1, packBytes: 3000, headerBytes: 6, packCuts: 150, swaps: 400 },
  3,
);
console.log("kind                     faults    right   refused   stale");
for (const [kind, { faults, right, FormatError, StaleGenerationError }] of reports) {
  const cells = [faults, right, FormatError, StaleGenerationError].map((count) => String(count).padStart(9));
  console.log(`${kind.padEnd(22)}${cells.join("")}`);
}
