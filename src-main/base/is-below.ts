/**
 * Whether a path is the folder or below it, by whole names: `/a2` is not below `/a`. Compares absolute paths with `/` as
 * text.
 */
export const isBelow = (path: string, folder: string): boolean =>
  `${path}/`.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
