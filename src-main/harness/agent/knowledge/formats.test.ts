import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseAgentFile } from './agent-file';
import { parseSkill } from './skill';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/formats.md'), 'utf8');
/** The example that follows its path in the page. */
const example = (path: string) =>
  page.slice(page.indexOf(`\`${path}\``)).match(/```markdown\n([\s\S]*?)\n```/)?.[1] ?? '';

it('reads the agent that the page of formats shows', async () => {
  const path = '.deepdesk/agents/reviewer.md';
  expect(await parseAgentFile(example(path), path)).toEqual({
    name: 'reviewer',
    description: 'Reviews a change and lists its problems.',
    model: 'anthropic:claude-sonnet-4-6',
    tools: ['read_file', 'grep', 'glob', 'ls'],
    permissions: [{ operations: ['read'], paths: ['/secrets/**'], mode: 'deny' }],
    permissionsLine: 5,
    prompt: 'You review code. Answer with a list of problems.',
    path,
  });
});

it('reads the skill that the page of formats shows, without warnings', async () => {
  const path = '.deepdesk/skills/release-notes/SKILL.md';
  const { skill, warnings } = await parseSkill(example(path), path, 'release-notes');
  expect(warnings).toEqual([]);
  expect(skill).toMatchObject({
    name: 'release-notes',
    license: 'MIT',
    compatibility: 'needs git',
    allowedTools: ['execute', 'read_file'],
    metadata: { author: 'anna' },
  });
});
