import { expect, it } from 'vitest';
import type { Approval } from '../../contract/approvals';
import type { RuleMatch } from '../../contract/control';
import { because } from '../../contract/shared/reasons';
import { askedCall, optionsOf } from './tool-calls';

const commandOf = (command: string) => ({ kind: 'command', command, cwd: '/p', timeoutSeconds: 120 });
const asked = (more: object) =>
  ({
    ...{ callId: 'c', tool: 'execute', display: 'command', args: { command: 'make' }, reason: [] },
    ...{ preview: commandOf('make'), allowed: ['approve', 'reject'] },
    ...more,
  }) as unknown as Approval;

const textsOf = (approval: Approval): string[] =>
  (askedCall(approval).content ?? []).map((one) =>
    one.type === 'content' && one.content.type === 'text' ? one.content.text : one.type,
  );

it('shows a command as code, which Markdown cannot hide a part of [safety 9]', () => {
  const command = 'ls <!--\nrm -r src\n```\n--> \u0441\u{e0041}\u00a0';
  const [text = ''] = textsOf(asked({ args: { command }, preview: commandOf(command) }));
  expect(text).toBe('````\nls <!--\nrm -r src\n```\n--> \\u{441}\\u{e0041}\\u{a0}\n````');
});

it('shows the scripts that a command runs, and that it runs outside the sandbox [safety 9]', () => {
  const files = [{ path: '/p/a_b_.sh', text: 'id\n\u202e', version: '1' }];
  const preview = { ...commandOf('sh a_b_.sh'), files, outsideSandbox: true, machine: 'box' };
  expect(textsOf(asked({ preview }))).toEqual([
    '```\nsh a_b_.sh\n```',
    'In /p, on box. Runs outside the sandbox, with access to everything you can access.',
    'It runs /p/a\\_b\\_.sh:',
    '```\nid\n\\u{202e}\n```',
    '',
  ]);
});

it('shows what a command did in its layer before the person keeps it', () => {
  const rows = [{ kind: 'changed', path: 'a.txt', added: 2, removed: 1 }];
  const outcome = { exitCode: 0, output: 'ok\n', rows, refused: [{ what: 'network', name: 'a.example' }] };
  const text = textsOf(asked({ outcome, allowed: ['keep', 'discard'] })).join('\n');
  expect(text).toContain('exit code 0\n| ok\nchanged a.txt +2 -1\nrefused network a.example');
});

it('offers what can be done with an outcome that holds nothing to keep', () => {
  const named = (allowed: Approval['allowed']) =>
    optionsOf(asked({ outcome: {}, allowed }), undefined).map(({ name }) => name);
  expect(named(['discard', 'run', 'wait', 'reject', 'respond'])).toEqual([
    'Run for real',
    'Run again with more time',
    'Reject',
  ]);
  expect(named(['again', 'discard', 'reject', 'respond'])).toEqual(['Run again in a layer', 'Reject']);
  expect(named(['discard', 'run', 'approve', 'reject'])).toEqual([
    'Run outside the sandbox',
    'Run for real',
    'Reject',
  ]);
  expect(named(['keep', 'discard', 'run', 'reject'])).toEqual([
    'Keep what it changed',
    'Run for real',
    'Reject',
  ]);
});

it('says if only the beginning of a change is shown, and hides nothing in its reasons', () => {
  const hunks = [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ['+x'] }];
  const preview = { kind: 'diff', path: '/p/a', isNew: true, hunks, added: 1, removed: 0, cut: true };
  const reason = [because('names_obeyed', { path: '<!-- \u202e' })];
  const texts = textsOf(asked({ args: { file_path: '/p/a' }, preview, reason }));
  expect(texts.slice(0, 2)).toEqual(['diff', 'This is only the beginning of the change.']);
  expect(texts[2]).toContain('\\<!-- \\\\u{202e}');
});

it('offers a rule only if it is shown whole', () => {
  const rule = (word: string): RuleMatch => ({ kind: 'command', words: ['npm', word], exact: false });
  const named = (word: string) =>
    optionsOf({ allowed: ['approve', 'reject'] }, rule(word)).map(({ name }) => name);
  expect(named('test')).toEqual(['Allow once', 'Always allow npm test … in this project', 'Reject']);
  expect(named('x'.repeat(200))).toEqual(['Allow once', 'Reject']);
});
