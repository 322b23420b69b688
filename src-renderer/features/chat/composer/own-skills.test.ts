import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { translator } from '../../../i18n';
import { aboutCommand, OWN_SKILLS } from './own-skills';

const zh = translator('zh');

it('has texts in each language for every skill that comes with the app', () => {
  const shipped = readdirSync(join(import.meta.dirname, '../../../../resources/skills'));
  expect(Object.keys(OWN_SKILLS).toSorted()).toEqual(shipped.toSorted());
  for (const name of shipped)
    expect(aboutCommand(zh, { kind: 'skill', name, description: 'For models.', source: 'app' })).toMatch(
      /\p{Script=Han}{4}/u,
    );
});

it('leaves the texts of other skills unchanged', () => {
  const name = 'commit-message';
  for (const source of ['person', 'project'] as const)
    expect(aboutCommand(zh, { kind: 'skill', name, description: 'Ours.', source })).toBe('Ours.');
  expect(aboutCommand(zh, { kind: 'agent', name, description: 'Theirs.', source: 'app' })).toBe('Theirs.');
});
