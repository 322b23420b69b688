import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fromTrash, toTrash } from './trash';

function places() {
  const root = mkdtempSync(join(tmpdir(), 'deepdesk-trash-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const trash = join(root, 'data', 'Trash');
  const make = (name: string, text: string) => {
    writeFileSync(join(root, name), text);
    return join(root, name);
  };
  return { root, trash, make, put: (path: string) => toTrash(path, { XDG_DATA_HOME: join(root, 'data') }) };
}

it('replaces nothing in the trash, not even what has no note', async () => {
  const { trash, make, put } = places();
  mkdirSync(join(trash, 'files'), { recursive: true });
  writeFileSync(join(trash, 'files', 'a.txt'), 'of another program');
  const first = await put(make('a.txt', 'one'));
  const second = await put(make('a.txt', 'two'));
  expect([first.file, second.file].map((file) => readFileSync(file, 'utf8'))).toEqual(['one', 'two']);
  expect(readFileSync(join(trash, 'files', 'a.txt'), 'utf8')).toBe('of another program');
  expect(readdirSync(join(trash, 'info')).sort()).toEqual(['a.txt.2.trashinfo', 'a.txt.3.trashinfo']);
});

it.each([
  ['ASCII', 'x'.repeat(255)],
  ['Chinese', '文'.repeat(85)],
])('takes a name as long as the system allows, and gives it back: %s', async (_script, name) => {
  const { make, put } = places();
  const path = make(name, 'long');
  const trashed = await put(path);
  expect(existsSync(path)).toBe(false);
  rmSync(trashed.info);
  expect(await fromTrash(trashed, path)).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('long');
});
