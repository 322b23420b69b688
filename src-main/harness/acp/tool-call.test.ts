import { expect, it } from 'vitest';
import { askedContent, changeOf, describeCall, shownPath } from './tool-call';

it('shows the whole command that waits as code, and all arguments of a tool without a diff', () => {
  const facts = { callId: 'c', name: 'execute', display: 'command' } as const;
  const command = `echo ${'x'.repeat(200)} <!--\n\u00a0 -->`;
  expect(askedContent({ ...facts, args: { command } })).toMatchObject([
    { content: { text: `\`\`\`\n${command.replace('\u00a0', '\\u{a0}')}\n\`\`\`` } },
  ]);
  expect(describeCall({ ...facts, args: { command: 'a\u00a0b\n\u0441' } }).title).toBe('a\\u{a0}b \\u{441}');
  const args = { to: 'b@c.d' };
  expect(askedContent({ callId: 'c', name: 'mail__send', display: undefined, args })).toMatchObject([
    { content: { text: '```\n{\n  "to": "b@c.d"\n}\n```' } },
  ]);
});

it('gives editors whole paths where a model left out the first slash, and none for what is no path', () => {
  const facts = (file_path: string) => ({
    callId: 'c',
    name: 'write_file',
    display: 'write' as const,
    args: { file_path, content: 'x' },
    hostPath: shownPath((path) => `/work${path}`),
  });
  expect(describeCall(facts('src//a.ts')).locations).toEqual([{ path: '/work/src/a.ts' }]);
  expect(changeOf(facts('src//a.ts'))).toMatchObject([{ path: '/work/src/a.ts' }]);
  expect(describeCall(facts('../a.ts')).locations).toEqual([]);
  expect(describeCall({ ...facts('src/a.ts'), hostPath: shownPath() }).locations).toEqual([
    { path: '/src/a.ts' },
  ]);
});
