/** The name that a tool's files have: its own, but for the two of five that share theirs with an older tool. */
import type { Tool } from "../../src/mcp/tool.ts";

/** `grep-documents`, `read-targets`: without folder and ending. */
export function fileNameOf({ name, parameters }: Pick<Tool, "name" | "parameters">): string {
  if (name === "read" && "targets" in parameters) return "read-targets";
  if (name === "inspect" && "symbols" in parameters) return "inspect-symbols";
  return name.replaceAll("_", "-");
}
