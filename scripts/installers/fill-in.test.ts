import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, run } from '../process.mjs';
import { FILLED_FILES, filledIn } from './fill-in.mjs';
import { project } from './project.mjs';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe('project.json', () => {
  it.each(FILLED_FILES)('decides the names and addresses in %s', (file) => {
    expect(filledIn(file, read(file), project())).toBe(read(file));
  });

  it('is the only file that has to change for another project', async () => {
    const other = {
      ...{ name: 'Deepdesk', appId: 'org.other', maintainer: 'Others', email: 'us@other.org' },
      ...{ security: 'sec@other.org', homepage: 'https://other.org', repository: 'https://git.other.org/d' },
      updates: 'https://other.org/updates',
      updateKey: '',
    };
    // Samples in tests and the app's own reserved address are not placeholders.
    const { stdout } = await run('git', [
      'grep',
      '-lF',
      'deepdesk.example',
      '--',
      '*.md',
      '*.json',
      '*.yml',
      '*.mjs',
      '*.ts',
    ]);
    const named = stdout
      .trim()
      .split('\n')
      .filter((file) => file !== 'project.json' && !/\.test\.ts$/.test(file));
    for (const file of named)
      expect(filledIn(file, read(file), other), file).not.toContain('deepdesk.example');
    expect(named.length).toBeGreaterThan(2);
  });
});
