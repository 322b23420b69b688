import type { IBufferLine, ILink, ILinkProvider, Terminal } from '@xterm/xterm';
import { positionsIn } from './positions';

/** Maximum number of rows of a wrapped line; a longer one is not a compiler message. */
const MAX_ROWS = 20;

export interface Files {
  /** Which of the words name files: the path to open for each, in the same order, or null. */
  locate(words: string[]): Promise<(string | null)[]>;
  open(path: string, line: number | undefined): void;
}

/** Links file names in the output to the files. They are looked up when the pointer reaches their line. */
export const positionLinks = (terminal: Terminal, files: Files): ILinkProvider => ({
  provideLinks: (row, answer) => {
    const { text, places } = wholeLine(terminal, row);
    const positions = positionsIn(text);
    if (positions.length === 0) {
      answer(undefined);
      return;
    }
    void files.locate(positions.map(({ path }) => path)).then((paths) => {
      const links = positions.flatMap(({ start, end, line }, at): ILink[] => {
        const [path, from, to] = [paths[at], places[start], places[end - 1]];
        if (path === null || path === undefined || from === undefined || to === undefined) return [];
        return [
          {
            range: { start: from, end: to },
            text: text.slice(start, end),
            activate: () => files.open(path, line),
          },
        ];
      });
      answer(links.length === 0 ? undefined : links);
    });
  },
});

/** The line that a row (1-based) belongs to, and the cell (1-based) of each of its UTF-16 units. */
function wholeLine(terminal: Terminal, row: number): { text: string; places: { x: number; y: number }[] } {
  const buffer = terminal.buffer.active;
  let first = row - 1;
  while (first > 0 && row - first < MAX_ROWS && buffer.getLine(first)?.isWrapped) first -= 1;
  let text = '';
  const places: { x: number; y: number }[] = [];
  const add = (line: IBufferLine, y: number) => {
    for (let x = 0; x < line.length; x += 1) {
      const cell = line.getCell(x);
      // The second half of a wide character.
      if (cell === undefined || cell.getWidth() === 0) continue;
      const chars = cell.getChars() || ' ';
      for (const _unit of Array(chars.length)) places.push({ x: x + 1, y: y + 1 });
      text += chars;
    }
  };
  for (let y = first; y - first < MAX_ROWS; y += 1) {
    const line = buffer.getLine(y);
    if (line === undefined || (y > first && !line.isWrapped)) break;
    add(line, y);
  }
  return { text, places };
}
