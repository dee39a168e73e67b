/** A sheet that elements of a page share. */

/** A function that gives one sheet of these styles, made when it is first called. */
export function shareSheet(styles: string): () => CSSStyleSheet {
  let sheet: CSSStyleSheet | undefined;
  return () => {
    if (sheet === undefined) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
    }
    return sheet;
  };
}
