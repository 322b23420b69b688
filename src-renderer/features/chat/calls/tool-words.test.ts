import { ToolCall } from '@contract/conversation';
import { expect, it } from 'vitest';
import { translator } from '../../../i18n/translate';
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

it('does not say that a file was changed or read if that failed', () => {
  const failed = (display: string) =>
    verbOf({ display, args: { file_path: '/p/a' }, status: 'failed', startedAt: 1 });
  expect(['write', 'edit', 'delete', 'read'].map(failed)).toEqual(['Write', 'Edit', 'Delete', 'Read']);
});

it('shows the first question that a call asks, and how many more there are', () => {
  const asked = (...questions: string[]) =>
    toolWords(
      ToolCall.parse({
        callId: 'c1',
        name: 'ask_user',
        display: 'ask',
        args: { questions: questions.map((question) => ({ question })) },
        status: 'done',
        startedAt: 1,
      }),
      '/p',
      t,
    );
  expect(asked('Which database?')).toMatchObject({ verb: 'Asked you', object: 'Which database?' });
  expect(asked('Which database?', 'Which pages?').note).toBe('+1');
});

it('says where a file went that is in no folder, whatever its path looks like', () => {
  const wrote = (more: object) =>
    toolWords(
      ToolCall.parse({
        ...{ callId: 'c1', name: 'write_file', display: 'write', status: 'done', startedAt: 1 },
        ...{ args: { file_path: '/etc/hosts' }, ...more },
      }),
      '/p',
      t,
    );
  expect(wrote({ scratch: true })).toMatchObject({ verb: 'Wrote', object: '/etc/hosts', note: 'in Scratch' });
  expect(wrote({}).note).toBeUndefined();
});
