/**
 * Concepts that stand in the same sections: how often two do, beside how often each does (cosine of their sections). Pure.
 */
import type { ChosenConcepts } from "./choose-concepts.ts";

/** Related concepts that are listed. */
const MAX_RELATED = 12;
/** Of a concept of more documents, so many are looked at: what comes together does so there, too. */
const MAX_DOCUMENTS = 200;
const LEAST_TOGETHER = 2;
/** Likeness counts in tenths, so that a section more changes few orders. */
const STEPS = 10;

/** Of each concept those related to it, the nearest first, by their indexes. */
export function findRelated({ concepts, ofDocument }: ChosenConcepts): number[][] {
  const documentsOf: number[][] = concepts.map(() => []);
  const sections = new Uint32Array(concepts.length);
  for (const [document, list] of ofDocument.entries()) {
    for (const { concept, uses } of list) {
      sections[concept] = (sections[concept] as number) + uses.length;
      const own = documentsOf[concept] as number[];
      if (own.length < MAX_DOCUMENTS) own.push(document);
    }
  }
  return concepts.map((_, concept) => {
    const together = new Map<number, number>();
    for (const document of documentsOf[concept] as number[]) {
      const list = ofDocument[document] ?? [];
      const own = new Set(list.find((one) => one.concept === concept)?.uses.map(({ section }) => section));
      for (const { concept: other, uses } of list) {
        if (other === concept) continue;
        const count = uses.filter(({ section }) => own.has(section)).length;
        if (count > 0) together.set(other, (together.get(other) ?? 0) + count);
      }
    }
    const likeness = (other: number, count: number): number =>
      Math.round((STEPS * count) / Math.sqrt((sections[concept] as number) * (sections[other] as number)));
    return [...together]
      .filter(([, count]) => count >= LEAST_TOGETHER || (sections[concept] as number) < 2 * LEAST_TOGETHER)
      .map(([other, count]): [number, number] => [other, likeness(other, count)])
      .sort(([a, one], [b, next]) => next - one || a - b)
      .slice(0, MAX_RELATED)
      .map(([other]) => other);
  });
}
