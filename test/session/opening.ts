/** A session's beginning and a call, for tests to vary. */
import type { CallRecord, SessionOpening } from "../../src/surface/session/session-state.ts";

/** A session without any settings. */
export const OPENING: SessionOpening = {
  settings: { collections: [], version: "", filters: { include: {}, exclude: {} }, ranking: {}, tokenBudget: 0 },
  groups: ["public"],
  pin: { id: "g1", root: "", rootBytes: 0, log: "", builtAt: "" },
};

/** A call that showed nothing. */
export const CALL: CallRecord = {
  tokens: 10,
  trail: { tool: "search_documents", about: "lamp" },
  shown: [],
  pin: null,
};
