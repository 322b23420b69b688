import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../process.mjs';
import { LONGEST, rank } from './sequencer.mjs';

describe('the order of test files', () => {
  it('names files that exist', () => {
    expect(LONGEST.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('puts the longest first and leaves the others as they are', () => {
    const other = join(root, 'src-main/terminal/sessions.test.ts');
    expect([other, join(root, LONGEST[1] ?? ''), join(root, LONGEST[0] ?? '')].map(rank)).toEqual([
      LONGEST.length,
      1,
      0,
    ]);
  });
});
