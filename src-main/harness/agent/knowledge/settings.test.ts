import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as published from 'deepagents';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSettings, findProjectRoot } from './settings';

function project(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-settings-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  mkdirSync(join(made, '.git'));
  mkdirSync(join(made, 'deep', 'down'), { recursive: true });
  return made;
}

const METHODS = [
  'getAgentDir',
  'getUserAgentMdPath',
  'getProjectAgentMdPath',
  'getUserSkillsDir',
  'getProjectSkillsDir',
] as const;

describe('the paths of a project', () => {
  it('match those of the published package', () => {
    const root = project();
    const startPath = join(root, 'deep', 'down');
    expect(findProjectRoot(startPath)).toBe(root);
    const [theirs, ours] = [published.createSettings({ startPath }), createSettings({ startPath })];
    for (const name of METHODS) expect(ours[name]('coder'), name).toBe(theirs[name]('coder'));
    const { projectRoot, userDeepagentsDir, hasProject } = theirs;
    expect(ours).toMatchObject({ projectRoot, userDeepagentsDir, hasProject });
    for (const settings of [theirs, ours])
      for (const bad of ['../up', 'a/b', ' ', ''])
        expect(() => settings.getAgentDir(bad), bad).toThrow('Invalid agent name');
  });

  it('are created on request', () => {
    const root = project();
    const made = createSettings({ startPath: root }).ensureProjectSkillsDir();
    expect(made).toBe(join(root, '.deepagents', 'skills'));
    expect(existsSync(made ?? '')).toBe(true);
  });
});
