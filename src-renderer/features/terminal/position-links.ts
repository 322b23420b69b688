import type { IBufferLine, ILink, ILinkProvider, Terminal } from '@xterm/xterm';
import { positionsIn } from './positions';

/** Rows that a line may be wrapped over; what is longer is no compiler's message. */
const MOST_ROWS = 20;

export interface Files {
  /** Which of the words name files: what to open, in the same order, null for none. */
  locate(words: string[]): Promise<(string | null)[]>;
  open(path: string, line: number | undefined): void;
}

/** Makes names of files in what is printed open them. Looked up when the pointer comes to their line. */
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

/** The line that a row (1-based) is part of, and the cell (1-based) of each of its UTF-16 units. */
function wholeLine(terminal: Terminal, row: number): { text: string; places: { x: number; y: number }[] } {
  const buffer = terminal.buffer.active;
  let first = row - 1;
  while (first > 0 && row - first < MOST_ROWS && buffer.getLine(first)?.isWrapped) first -= 1;
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
  for (let y = first; y - first < MOST_ROWS; y += 1) {
    const line = buffer.getLine(y);
    if (line === undefined || (y > first && !line.isWrapped)) break;
    add(line, y);
  }
  return { text, places };
}
