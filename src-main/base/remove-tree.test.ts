import { execFileSync } from 'node:child_process';
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

  it.skipIf(process.platform === 'win32')(
    'removes folders whose paths are too long for the system',
    async () => {
      const { tree } = makeTree();
      // Two branches, each longer than 4,096 bytes.
      const deep = 'for i in $(seq 25); do mkdir $1; cd $1; done; echo x > x; mkdir y';
      for (const name of ['a', 'b'])
        execFileSync('bash', ['--norc', '-ec', deep, 'bash', name.repeat(200)], { cwd: tree });
      await remove(tree);
      expect(existsSync(tree)).toBe(false);
    },
  );

  it('accepts a path that is missing', async () => {
    await remove(join(tmpdir(), 'deepdesk-missing/none'));
  });
});
