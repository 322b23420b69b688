import { describe, expect, it } from 'vitest';
import { TOOLS } from '../tools/catalogue';
import { type Hook, matchesCall, matchesText } from './hook';

const hook = (more: Partial<Hook>): Hook => ({
  name: 'one',
  event: 'before_tool',
  tools: [],
  paths: [],
  commands: [],
  command: 'true',
  timeoutSeconds: 1,
  onError: 'deny',
  ...more,
});
const matches = (more: Partial<Hook>, tool: string, args: Record<string, unknown>) =>
  matchesCall(hook(more), { callId: 'c', tool, args, agent: null }, '/project');
const edit = (path: string) => ({ file_path: path, old_string: 'a', new_string: 'b' });

describe('a hook', () => {
  it('matches every call if it names nothing', () => {
    expect(matches({}, 'server__tool', { any: 1 })).toBe(true);
  });

  it('matches tools by name, with * for any characters', () => {
    expect(matches({ tools: [TOOLS.editFile.name] }, TOOLS.editFile.name, edit('/project/a'))).toBe(true);
    expect(matches({ tools: [TOOLS.editFile.name] }, TOOLS.writeFile.name, {})).toBe(false);
    expect(matches({ tools: ['github__*'] }, 'github__create_issue', {})).toBe(true);
  });

  it('matches paths relative to the project, however the call writes them', () => {
    const paths = ['src/**/*.ts'];
    for (const path of [
      '/project/src/a/b.ts',
      'src/b.ts',
      './src/b.ts',
      '/project//src/./a//b.ts',
      'src/.//b.ts',
    ])
      expect(matches({ paths }, TOOLS.editFile.name, edit(path)), path).toBe(true);
    for (const path of ['/project/src/a.js', '/elsewhere/src/a.ts', '/project-2/src/a.ts'])
      expect(matches({ paths }, TOOLS.editFile.name, edit(path)), path).toBe(false);
    expect(matches({ paths }, TOOLS.execute.name, { command: 'ls src/a.ts' })).toBe(false);
  });

  it('matches a folder whose files it names, for tools that reach below it', () => {
    expect(matches({ paths: ['src/**'] }, TOOLS.deleteFile.name, { file_path: '/project/src' })).toBe(true);
    expect(matches({ paths: ['src/**'] }, TOOLS.deleteFile.name, { file_path: '/project/docs' })).toBe(false);
  });

  it('matches a command, even as part of a line', () => {
    const commands = ['git push*'];
    for (const command of [
      'git push origin main',
      'cd src && git push',
      'true; git push -f',
      'sleep 1 & git push',
      '(git push)',
    ])
      expect(matches({ commands }, TOOLS.execute.name, { command }), command).toBe(true);
    expect(matches({ commands }, TOOLS.execute.name, { command: 'git pull' })).toBe(false);
    expect(matches({ commands }, TOOLS.editFile.name, edit('/project/a'))).toBe(false);
  });
});

it('matches * in linear time', () => {
  const long = 'a'.repeat(200_000);
  expect(matchesText(`${'*a'.repeat(60)}*b`, long)).toBe(false);
  expect(matchesText('a*a', 'a')).toBe(false);
  expect(matchesText('*', '')).toBe(true);
});
