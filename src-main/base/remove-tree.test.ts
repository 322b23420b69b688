import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { removeTree, removeTreeSync } from './remove-tree';
import { cleanups } from './testing/cleanups';

function makeTree() {
  const base = mkdtempSync(join(tmpdir(), 'deepdesk-remove-'));
  cleanups.push(() => removeTreeSync(base));
  const tree = join(base, 'tree');
  mkdirSync(join(tree, 'closed/inner'), { recursive: true });
  writeFileSync(join(tree, 'closed/inner/a.txt'), 'a');
  writeFileSync(Buffer.from(`${tree}/b\xff.txt`, 'latin1'), 'b');
  writeFileSync(join(base, 'kept.txt'), 'kept');
  symlinkSync(join(base, 'kept.txt'), join(tree, 'link'));
  symlinkSync(base, join(tree, 'folder-link'));
  chmodSync(join(tree, 'closed/inner'), 0);
  chmodSync(join(tree, 'closed'), 0o111);
  return { base, tree };
}

describe.each([
  ['removeTree', removeTree],
  ['removeTreeSync', removeTreeSync],
])('%s', (_name, remove) => {
  it.skipIf(process.platform === 'win32')(
    'removes unreadable folders, links and names that are not text, but no targets of links',
    async () => {
      const { base, tree } = makeTree();
      await remove(tree);
      expect(existsSync(tree)).toBe(false);
      expect(readFileSync(join(base, 'kept.txt'), 'utf8')).toBe('kept');
    },
  );

  it('accepts a path that is missing', async () => {
    await remove(join(tmpdir(), 'deepdesk-missing/none'));
  });
});
