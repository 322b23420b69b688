import { expect, it } from 'vitest';
import { askedContent, describeCall } from './tool-call';

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
