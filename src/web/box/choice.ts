/** Which row is chosen, while the focus stays in the text field. */

/** The chosen row of a list. */
export interface Choice {
  /** Rows that can be chosen. */
  options(): readonly HTMLElement[];
  /** Index of the chosen row; -1 for none. */
  index(): number;
  current(): HTMLElement | undefined;
  /** Choose a row, -1 for none, and bring it into view where asked. */
  choose(index: number, isInView?: boolean): void;
}

/** Chooses among the options of `list` for a text field. */
export function createChoice(input: HTMLElement, list: HTMLElement): Choice {
  let chosen: HTMLElement | undefined;
  const options = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>("[role=option]")];
  return {
    options,
    index: () => (chosen === undefined ? -1 : options().indexOf(chosen)),
    current: () => (chosen !== undefined && list.contains(chosen) ? chosen : undefined),
    choose(index, isInView = true) {
      const all = options();
      chosen = all[index];
      all.forEach((option, at) => {
        option.id = `option-${at}`;
        option.setAttribute("aria-selected", String(at === index));
        // Groups count for themselves in some browsers.
        option.setAttribute("aria-posinset", String(at + 1));
        option.setAttribute("aria-setsize", String(all.length));
      });
      input.setAttribute("aria-expanded", String(all.length > 0));
      if (chosen === undefined) {
        input.removeAttribute("aria-activedescendant");
        return;
      }
      input.setAttribute("aria-activedescendant", chosen.id);
      // The first row of a group is shown with the heading of its page.
      if (isInView) chosen.scrollIntoView({ block: "nearest" });
    },
  };
}
