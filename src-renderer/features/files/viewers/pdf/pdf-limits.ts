// A PDF file can claim anything about itself: a billion pages, or a page of a billion points.

/** In points. */
export interface PageSize {
  width: number;
  height: number;
}

/** Maximum number of pages that are laid out and searched. */
export const MAX_PAGES = 10_000;
/** Maximum length of a page's longer side, in CSS pixels. */
const MAX_SIDE = 20_000;
/** Maximum number of pixels of a page's canvas. */
const MAX_CANVAS = 32_000_000;
/** Maximum number of pixels of an image in a page; larger images are not drawn. */
export const MAX_PICTURE = 100_000_000;

/** The scale at which a page is shown: the requested one, or less if the page would be too large. */
export const limitedScale = ({ width, height }: PageSize, wanted: number): number =>
  Math.min(wanted, MAX_SIDE / Math.max(width, height));

/** Canvas pixels per CSS pixel of a page shown at that scale. */
export const limitedSharpness = ({ width, height }: PageSize, scale: number, wanted: number): number =>
  Math.min(wanted, Math.sqrt(MAX_CANVAS / (width * scale * height * scale)));
