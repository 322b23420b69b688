import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '../..');
/** Behaviors of the published harness that are easily missed. Each has a number, and a test whose title ends with it. */
const BEHAVIORS = 60;

it('each behavior of the published harness has a test with its number', () => {
  const tested = new Set<number>();
  for (const name of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:test|contract)\.ts$/u.test(name)) continue;
    const text = readFileSync(join(SOURCES, name), 'utf8');
    // A title may end with several ids: 'runs … [H22, H23, P6]'.
    for (const [, ids = ''] of text.matchAll(/\[([^\][\n]*)\]['"`]/gu))
      for (const [, number] of ids.matchAll(/\bH(\d+)\b/gu)) tested.add(Number(number));
  }
  const all = Array.from({ length: BEHAVIORS }, (_, index) => index + 1);
  expect(all.filter((number) => !tested.has(number))).toEqual([]);
});
