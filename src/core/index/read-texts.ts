/**
 * Texts of blocks, of each document and of all of them together up to a bound on their characters.
 *
 * The locator knows how long a block is in its pack, and not what it inflates to, which may be a thousand times that. So blocks are read
 * in rounds: as many at once as fill what is left if they are like those before them. What is held is the bound and a round.
 */
import type { TextBlock } from "../format/text-block.ts";
import { cutText } from "../text/short-text.ts";
import type { BlockRead } from "./index-reader.ts";

/** Characters that may still be read, over some calls. */
export interface TextBudget {
  left: number;
  /** What a block is expected to have: an average of those that were read last. */
  aBlock: number;
}

export interface ReadBlocks {
  /** The first ones of those wanted; the last one's text may be cut. */
  readonly blocks: readonly TextBlock[];
  /** How many of the blocks have their whole text. */
  readonly whole: number;
}

/** Characters of a round, about. */
const ROUND = 256 * 1024;
/** No text with words in it is cut into longer ones, index-format v1, section 6. */
const LONGEST_USUAL = 8000;
const SHORTEST_EXPECTED = 500;

/** A budget of which nothing is spent. */
export function openTextBudget(characters: number): TextBudget {
  return { left: characters, aBlock: LONGEST_USUAL };
}

/**
 * Blocks by the lists that they were wanted in, in order: those of a list before those of the next.
 *
 * @param read Reads some blocks in one wave.
 * @param budget All is read in one round where nothing is bounded.
 * @param each Characters of one list at most; of each that has any room at least one block is read.
 */
export async function readTexts(
  lists: readonly (readonly BlockRead[])[],
  read: (blocks: readonly BlockRead[]) => Promise<readonly TextBlock[]>,
  budget: TextBudget = openTextBudget(Number.POSITIVE_INFINITY),
  each = Number.POSITIVE_INFINITY,
): Promise<ReadBlocks[]> {
  const states = lists.map((wanted) => ({ wanted, blocks: [] as TextBlock[], whole: 0, room: each }));
  for (;;) {
    const round = chooseRound(states, budget);
    if (round.length === 0) return states.map(({ blocks, whole }) => ({ blocks, whole }));
    const found = await read(round.map(({ block }) => block));
    let characters = 0;
    for (const [at, { state }] of round.entries()) {
      const block = found[at] as TextBlock;
      const { length } = block.text;
      const room = Math.min(state.room, budget.left);
      characters += length;
      state.blocks.push(length > room ? { ...block, text: cutText(block.text, room) } : block);
      if (length <= room) state.whole++;
      state.room -= Math.min(length, room);
      budget.left -= Math.min(length, room);
    }
    budget.aBlock = Math.max(SHORTEST_EXPECTED, characters / round.length);
  }
}

interface ListState {
  readonly wanted: readonly BlockRead[];
  readonly blocks: readonly TextBlock[];
  readonly room: number;
}

/** Blocks to read next: at least one where there is room for any. */
function chooseRound<State extends ListState>(
  states: readonly State[],
  { left, aBlock }: TextBudget,
): { readonly state: State; readonly block: BlockRead }[] {
  const chosen: { state: State; block: BlockRead }[] = [];
  const isBounded = left < Number.POSITIVE_INFINITY || states.some(({ room }) => room < Number.POSITIVE_INFINITY);
  let rest = isBounded ? Math.min(left, ROUND) : left;
  for (const state of states) {
    const { wanted, blocks } = state;
    let room = state.room;
    for (let at = blocks.length; at < wanted.length && room > 0 && rest > 0; at++) {
      const block = wanted[at] as BlockRead;
      // A block that hardly shrank is as long as it is in its pack.
      const expected = Math.max(aBlock, block.place.length);
      if (expected > rest && chosen.length > 0) return chosen;
      chosen.push({ state, block });
      room -= expected;
      rest -= expected;
    }
  }
  return chosen;
}
