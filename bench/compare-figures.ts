/**
 * Figures of which less is better, held against those of before. Pure.
 */

/** Numbers by name, in groups. */
export interface Figures {
  readonly [name: string]: number | Figures;
}

/** A figure that changed. */
export interface ChangedFigure {
  readonly figure: string;
  readonly before: number;
  readonly after: number;
}

/** What changed by more than the tolerance. */
export interface FigureComparison {
  readonly worse: readonly ChangedFigure[];
  readonly better: readonly ChangedFigure[];
  /** Figures that only one side has. */
  readonly missing: readonly string[];
}

/** A change by this share is noise of a good change elsewhere. */
const TOLERANCE = 0.02;

/** Compare two sets of figures. */
export function compareFigures(before: Figures, after: Figures): FigureComparison {
  const old = flattenFigures(before);
  const now = flattenFigures(after);
  const changed = [...now].flatMap(([figure, value]): ChangedFigure[] => {
    const known = old.get(figure);
    return known === undefined || Math.abs(value - known) <= TOLERANCE * known
      ? []
      : [{ figure, before: known, after: value }];
  });
  return {
    worse: changed.filter((change) => change.after > change.before),
    better: changed.filter((change) => change.after < change.before),
    missing: [...new Set([...old.keys(), ...now.keys()])].filter((figure) => !old.has(figure) || !now.has(figure)),
  };
}

/** Figures by their full names: `queries / phrase / warm / bytes`. */
export function flattenFigures(figures: Figures, group = ""): Map<string, number> {
  return new Map(
    Object.entries(figures).flatMap(([name, value]): (readonly [string, number])[] =>
      typeof value === "number" ? [[group + name, value]] : [...flattenFigures(value, `${group}${name} / `)],
    ),
  );
}
