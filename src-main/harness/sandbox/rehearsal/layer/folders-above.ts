/** The folders that contain a relative path, nearest first. */
export function foldersAbove(path: string): string[] {
  const above: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    above.push(path.slice(0, at));
  return above;
}

/** How many folders a relative path is in. */
export const depthOf = (path: string): number => path.split('/').length - 1;
