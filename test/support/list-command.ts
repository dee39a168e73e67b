/** Commands as the command line lists them. */
import type { Command, ListedCommand } from "../../indexer/command.ts";

/** A command that is loaded already, as one of the list. */
export function listCommand(command: Command): ListedCommand {
  return { name: command.name, load: async () => command };
}
