/** The index before, where what is published is not whole: a run goes on without it. */
import { expect, it } from "vitest";
import { findIndexBefore } from "../../../../indexer/cli/action/index-before.ts";
import { nameFile } from "../../../../indexer/index/write-table.ts";
import { machineClock } from "../../../../indexer/publish/object-store.ts";
import { encodePointer } from "../../../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../../../src/core/index/range-source.ts";
import { createFakeState, openFakeStore } from "../../../support/fake-store.ts";
import { buildSmallIndex } from "../../../support/small-indexes.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

it.each([
  ["is no list of files", new TextEncoder().encode("no manifest\n")],
  ["is missing", undefined],
])("there is none, and a sentence says why, where the manifest %s", async (_, bytes) => {
  const { pointer } = await buildSmallIndex(0);
  const manifest = nameFile(bytes ?? new Uint8Array(1), "manifest");
  const state = createFakeState();
  state.objects.set(POINTER_FILE, { bytes: encodePointer({ ...pointer, previous: [], manifest }), modifiedAt: 0 });
  if (bytes !== undefined) state.objects.set(manifest, { bytes, modifiedAt: 0 });
  const said: string[] = [];
  const store = openFakeStore(state, { clock: machineClock });
  expect(await findIndexBefore(await makeFolder(), store, (text) => said.push(text))).toBeUndefined();
  expect(said).toEqual([expect.stringMatching(/^The index before was not fetched: /)]);
});
