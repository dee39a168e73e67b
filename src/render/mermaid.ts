/** Edges as a flowchart in the language of Mermaid. Pure. */

/** An end of an edge: ends of one id are one node. */
export interface MermaidNode {
  readonly id: string;
  readonly label: string;
  /** Drawn with round ends. */
  readonly isOutside: boolean;
}

/** An arrow. */
export interface MermaidEdge {
  readonly from: MermaidNode;
  readonly to: MermaidNode;
  /** Text on the arrow; none where empty. */
  readonly label: string;
  /** Drawn with dots. */
  readonly isDotted: boolean;
}

/**
 * The flowchart, from left to right. Nodes are numbered, so that no name can be read as syntax, and stand with their labels
 * where they come first.
 */
export function formatMermaid(edges: readonly MermaidEdge[]): string {
  const names = new Map<string, string>();
  const nameOf = ({ id, label, isOutside }: MermaidNode): string => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const name = `n${names.size}`;
    names.set(id, name);
    return `${name}${isOutside ? "([" : "["}"${escapeLabel(label)}"${isOutside ? "])" : "]"}`;
  };
  const lines = edges.map(({ from, to, label, isDotted }) => {
    const text = label === "" ? "" : `|"${escapeLabel(label)}"|`;
    return `  ${nameOf(from)} ${isDotted ? "-.->" : "-->"}${text} ${nameOf(to)}`;
  });
  return ["flowchart LR", ...lines].join("\n");
}

/** What Mermaid, or the Markdown in its labels, would read as more than text, as numbers of characters. */
function escapeLabel(label: string): string {
  return label.replace(/[^\p{L}\p{N} ./:@,()+-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}
