import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as published from 'deepagents';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listSkills, parseSkillMetadata } from './skill-folders';

const ours = { listSkills, parseSkillMetadata };
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-skills-')));
  vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function skill(path: string, frontmatter: string): string {
  const file = join(folder, path, 'SKILL.md');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `---\n${frontmatter}\n---\n\nDo it.\n`);
  return file;
}

const FULL = `name: full
description: Everything
license: MIT
compatibility: needs git
metadata:
  author: anna
allowed-tools: read_file grep`;

describe.each([
  ['the published package', published],
  ['ours', ours],
])('skills in folders, of %s', (_name, library) => {
  it('are listed with all fields, and the project replaces the user', () => {
    skill('user/full', FULL);
    skill('user/both', 'name: both\ndescription: of the user');
    skill('project/both', 'name: both\ndescription: of the project');
    const found = library.listSkills({
      userSkillsDir: join(folder, 'user'),
      projectSkillsDir: join(folder, 'project'),
    });
    const byName = Object.fromEntries(found.map((one) => [one.name, one]));
    expect(byName.full).toMatchObject({
      description: 'Everything',
      path: join(folder, 'user/full/SKILL.md'),
      source: 'user',
      license: 'MIT',
      compatibility: 'needs git',
      metadata: { author: 'anna' },
      allowedTools: 'read_file grep',
    });
    expect(byName.both).toMatchObject({ description: 'of the project', source: 'project' });
    expect(found).toHaveLength(2);
  });

  it('are none without folders', () => {
    expect(library.listSkills({})).toEqual([]);
    expect(library.listSkills({ userSkillsDir: null, projectSkillsDir: join(folder, 'no') })).toEqual([]);
  });

  it('are read from one file, null if it is not a skill', () => {
    const long = skill('long', `name: long\ndescription: ${'x'.repeat(2_000)}`);
    expect(library.parseSkillMetadata(long, 'user')?.description).toHaveLength(1_024);
    expect(library.parseSkillMetadata(skill('bad', 'name: bad'), 'user')).toBeNull();
    expect(library.parseSkillMetadata(skill('worse', 'name: [bad'), 'user')).toBeNull();
    expect(library.parseSkillMetadata(join(folder, 'no/SKILL.md'), 'user')).toBeNull();
    const other = skill('folder', 'name: Other Name\ndescription: loads all the same');
    expect(library.parseSkillMetadata(other, 'project')?.name).toBe('Other Name');
  });

  it('are not read through links that lead out of the folder', () => {
    skill('elsewhere/secret', 'name: secret\ndescription: outside');
    mkdirSync(join(folder, 'user/inside'), { recursive: true });
    symlinkSync(join(folder, 'elsewhere/secret'), join(folder, 'user/secret'));
    symlinkSync(join(folder, 'elsewhere/secret/SKILL.md'), join(folder, 'user/inside/SKILL.md'));
    expect(library.listSkills({ userSkillsDir: join(folder, 'user') })).toEqual([]);
  });
});
