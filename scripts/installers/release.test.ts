import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanups } from '../../src-main/base/testing/cleanups';
import { writeChecksums } from './checksums.mjs';
import { placeholders } from './project.mjs';
import { reasonsAgainst } from './release.mjs';

const READY = {
  electron: '45.4.1',
  wanted: '45.4.1',
  version: '0.2.0',
  changelog: '# Changes\n\n## 0.2.0 (2026-12-01)\n\n- A change.\n',
  placeholders: [],
  changed: '',
  tags: 'v0.2.0\n',
};

describe('a release', () => {
  it('is created when nothing prevents it', () => {
    expect(reasonsAgainst(READY)).toEqual([]);
  });

  it.each([
    ['an assembled Electron', { electron: '33.2.1' }, /Electron 33\.2\.1 is not 45\.4\.1/],
    ['placeholders', { placeholders: ['email'] }, /project\.json still has placeholders: email/],
    ['a version without changes', { changelog: '## 0.2.01\n## 0.1.0\n' }, /no section for 0\.2\.0/],
    ['a version in preparation', { changelog: '## 0.2.0 (in preparation)\n' }, /no date for 0\.2\.0/],
    ['uncommitted changes', { changed: ' M package.json\n' }, /uncommitted/],
    ['a commit with another tag', { tags: 'v0.1.0\n' }, /no tag v0\.2\.0/],
  ])('is refused with %s', (_name, fact, reason) => {
    expect(reasonsAgainst({ ...READY, ...fact })).toEqual([expect.stringMatching(reason)]);
  });
});

describe('placeholders', () => {
  it('are the entries that use the domain for examples', () => {
    const filled = {
      ...{ name: 'A', appId: 'org.b.a', maintainer: 'B', email: 'b@b.org', security: 's@b.org' },
    };
    const addresses = {
      homepage: 'https://b.org',
      repository: 'https://b.org/r',
      updates: 'https://b.example/u',
      updateKey: '',
    };
    expect(placeholders({ ...filled, ...addresses })).toEqual(['updates']);
  });
});

describe('checksums', () => {
  it('list every package in the form that sha256sum reads, and not themselves', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deepdesk-checksums-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    for (const name of ['b.rpm', 'a.deb']) writeFileSync(join(folder, name), name);
    const sum = (text: string) => createHash('sha256').update(text).digest('hex');
    await writeChecksums(folder);
    expect(readFileSync(await writeChecksums(folder), 'utf8')).toBe(
      `${sum('a.deb')}  a.deb\n${sum('b.rpm')}  b.rpm\n`,
    );
  });
});
