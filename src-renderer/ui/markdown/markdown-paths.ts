/** The parts of a parsed text that matter here. */
interface Tree {
  type: string;
  value?: string;
  url?: string;
  children?: Tree[];
}

/** A path with a folder and an ending, such as `src/a.ts:12`. It starts where a word starts, so each word is tried once. */
const PATH =
  /(?<![\p{L}\p{N}_@.:/\\~-])\/?(?:[\p{L}\p{N}_@.+-]{1,100}\/){1,30}[\p{L}\p{N}_@.+-]{0,100}\.[a-z]\w{0,9}(?::\d{1,7}(?:[-:]\d{1,7})?)?(?![\p{L}\p{N}_/])/giu;

/** A link to a file instead of a page: it has no scheme, or is a name with a line. */
export const isPathLink = (url: string): boolean =>
  /^[\p{L}\p{N}_@.+\-/()[\]%]+\.\w{1,10}(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)?$/u.test(url) &&
  !url.startsWith('//');

/** The path that a link to a file names. */
export function pathOfLink(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

/** Elements whose text is not prose. */
const CLOSED = new Set(['link', 'linkReference', 'inlineCode', 'code', 'html', 'definition']);

/** Turns paths in prose into links. Whether there is such a file is known only where the link is drawn. */
export function remarkPaths() {
  return (tree: Tree): void => {
    const waiting = [tree];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const { children } = one;
      if (children === undefined || CLOSED.has(one.type)) continue;
      one.children = children.flatMap((child) =>
        child.type === 'text' && child.value?.includes('/') === true ? inPieces(child.value) : [child],
      );
      waiting.push(...children);
    }
  };
}

function inPieces(value: string): Tree[] {
  const pieces: Tree[] = [];
  let from = 0;
  for (const { 0: path, index } of value.matchAll(PATH)) {
    if (index > from) pieces.push({ type: 'text', value: value.slice(from, index) });
    pieces.push({ type: 'link', url: path, children: [{ type: 'text', value: path }] });
    from = index + path.length;
  }
  if (from < value.length) pieces.push({ type: 'text', value: value.slice(from) });
  return pieces;
}
