import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../process.mjs';

const Entry = z.looseObject({
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
const Lock = z.object({ packages: z.record(z.string(), Entry) });

/** The entries that do not come from the registry with a checksum, or that `npm ci` would miss. */
function problems(text: string): string[] {
  const { packages } = Lock.parse(JSON.parse(text));
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (path === '') return [];
    const found = [];
    if (entry.link) found.push(`${path} is a link`);
    // With an address, npm would fetch it from there, wherever the person's registry is.
    if (entry.resolved !== undefined) found.push(`${path} names where it comes from: ${entry.resolved}`);
    if (!entry.integrity?.startsWith('sha512-')) found.push(`${path} has no checksum`);
    for (const name of Object.keys(entry.optionalDependencies ?? {}))
      if (!names.has(name)) found.push(`${path} lacks ${name}, for another system`);
    return found;
  });
}

describe('the lock files', () => {
  it.each(['package-lock.json', 'packaging/package-lock.json'])(
    'take everything in %s from the registry, by checksum',
    (file) => {
      expect(problems(readFileSync(join(root, file), 'utf8'))).toEqual([]);
    },
  );

  it.each([
    ['a repository', { resolved: 'git+ssh://git@host/a.git#1', integrity: 'sha512-a' }, /names where/],
    ['a folder', { link: true, integrity: 'sha512-a' }, /link/],
    ['a weak checksum', { integrity: 'sha1-a' }, /no checksum/],
    [
      'a missing part for another system',
      { integrity: 'sha512-a', optionalDependencies: { b: '1' } },
      /lacks b/,
    ],
  ])('are refused with %s', (_name, entry, problem) => {
    expect(problems(JSON.stringify({ packages: { '': {}, 'node_modules/a': entry } }))).toEqual([
      expect.stringMatching(problem),
    ]);
  });
});
