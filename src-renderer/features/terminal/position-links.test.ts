import { type ILink, Terminal } from '@xterm/xterm';
import { expect, it } from 'vitest';
import { positionLinks } from './position-links';

/** The links in a row (1-based) after `text` was printed in 20 columns, if only `files` exist. */
async function linked(text: string, row: number, files: string[]) {
  const terminal = new Terminal({ allowProposedApi: true, cols: 20, rows: 10 });
  const opened: unknown[] = [];
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const provider = positionLinks(terminal, {
    locate: async (words) => words.map((word) => (files.includes(word) ? `/p/${word}` : null)),
    open: (path, line) => opened.push({ path, line }),
  });
  const links = await new Promise<ILink[]>((resolve) =>
    provider.provideLinks(row, (all) => resolve(all ?? [])),
  );
  for (const link of links) link.activate(new MouseEvent('click'), link.text);
  terminal.dispose();
  return { links: links.map(({ text: shown, range }) => ({ shown, range })), opened };
}

it('links existing files, after wide characters and across wrapped rows', async () => {
  expect(await linked('错误 a.ts:3 b.ts:4', 1, ['a.ts'])).toEqual({
    links: [{ shown: 'a.ts:3', range: { start: { x: 6, y: 1 }, end: { x: 11, y: 1 } } }],
    opened: [{ path: '/p/a.ts', line: 3 }],
  });
  expect(await linked('one\r\nin the file src/long-name.ts:12:5 it is', 3, ['src/long-name.ts'])).toEqual({
    links: [{ shown: 'src/long-name.ts:12:5', range: { start: { x: 13, y: 2 }, end: { x: 13, y: 3 } } }],
    opened: [{ path: '/p/src/long-name.ts', line: 12 }],
  });
  expect(await linked('nothing.here', 1, [])).toEqual({ links: [], opened: [] });
});
