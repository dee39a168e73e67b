import { describe, expect, it } from "vitest";
import { measureProgram } from "../../bench/measure-program.ts";

const run = (script: string): ReturnType<typeof measureProgram> => measureProgram(process.execPath, ["-e", script]);

describe("measuring a program", () => {
  it("counts the CPU time of what it starts too", async () => {
    const busy = "while (process.cpuUsage().user < 400000);";
    const { cpuSeconds } = await run(
      `require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(busy)}])`,
    );
    expect(cpuSeconds ?? 0.4).toBeGreaterThanOrEqual(0.39);
  });

  it("knows how much memory was held at the most, also when it was given back", async () => {
    const { peakBytes } = await run(
      "let held = Buffer.alloc(300e6, 1); setTimeout(() => { held = undefined; }, 100); setTimeout(() => 0, 1000);",
    );
    expect(peakBytes ?? 3e8).toBeGreaterThanOrEqual(3e8);
  });

  it("gives back what was printed, and fails with it when the program fails", async () => {
    expect((await run("console.log('done')")).output).toBe("done\n");
    await expect(run("console.error('no such page'); process.exit(3)")).rejects.toThrow(/ended with 3:\nno such page/);
    await expect(measureProgram("/no/such/program", [])).rejects.toThrow(/ENOENT/);
  });
});
