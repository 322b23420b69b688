import { ToolCall } from '@contract/conversation';
import { expect, it } from 'vitest';
import { translator } from '../../i18n/translate';
import { toolWords } from './tool-words';

const t = translator('en');
const verbOf = (state: object) =>
  toolWords(
    ToolCall.parse({
      callId: 'c1',
      name: 'execute',
      display: 'command',
      args: { command: 'touch /etc/x' },
      ...state,
    }),
    '/p',
    t,
  ).verb;

it('says that a command ran only if it did', () => {
  expect(verbOf({ status: 'done', startedAt: 1 })).toBe('Ran');
  expect(verbOf({ status: 'failed', startedAt: 1 })).toBe('Ran');
  expect(verbOf({ status: 'failed', durationMs: 0 })).toBe('Run');
  expect(verbOf({ status: 'rejected' })).toBe('Run');
});
