export const CONCEPT_TYPES = ["thematic", "acronym", "api", "heading"] as const;
export type ConceptType = (typeof CONCEPT_TYPES)[number];
