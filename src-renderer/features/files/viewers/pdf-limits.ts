// What a PDF file says of itself may be anything: a billion pages, or a page of a billion points.

/** Points. */
export interface PageSize {
  width: number;
  height: number;
}

/** Pages that are laid out and searched. */
export const MAX_PAGES = 10_000;
/** CSS pixels of a page's longer side. */
const MAX_SIDE = 20_000;
/** Pixels that a page is drawn with. */
const MAX_CANVAS = 32_000_000;
/** Pixels of a picture in a page; a larger one is left out. */
export const MAX_PICTURE = 100_000_000;

/** The scale at which a page is shown: the wanted one, or as much of it as the page may have. */
export const limitedScale = ({ width, height }: PageSize, wanted: number): number =>
  Math.min(wanted, MAX_SIDE / Math.max(width, height));

/** Pixels of the canvas for one CSS pixel of a page shown at that scale. */
export const limitedSharpness = ({ width, height }: PageSize, scale: number, wanted: number): number =>
  Math.min(wanted, Math.sqrt(MAX_CANVAS / (width * scale * height * scale)));
