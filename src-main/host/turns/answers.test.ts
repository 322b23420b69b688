import { describe, expect, it } from 'vitest';
import type { Approval } from '../../contract/approvals';
import { checkDecision } from './answers';

const waiting = (tool: string) =>
  ({ tool, allowed: ['approve', 'edit', 'reject'], preview: { kind: 'arguments', json: '{}' } }) as Approval;

/** The arguments that are named as wrong; null if the edit is accepted. */
function wrong(tool: string, args: Record<string, unknown>): unknown {
  const checked = checkDecision(waiting(tool), { type: 'edit', args });
  return checked.ok ? null : [checked.error.code, checked.error.values];
}

describe('edited arguments', () => {
  it('that are incomplete are refused with the names of what is missing, before the decision is used', () => {
    expect(wrong('write_file', { path: '/a' })).toEqual([
      'edited_arguments',
      { names: 'file_path, content' },
    ]);
    expect(wrong('write_file', { file_path: '/a', content: 5 })).toEqual([
      'edited_arguments',
      { names: 'content' },
    ]);
    expect(wrong('execute', {})).toEqual(['edited_arguments', { names: 'command' }]);
    expect(wrong('execute', { command: 'ls', timeout: 'long', background: 1 })).toEqual([
      'edited_arguments',
      { names: 'timeout, background' },
    ]);
    expect(
      wrong('edit_file', { file_path: '/a', old_string: 'x', new_string: null, replace_all: null }),
    ).toEqual(['edited_arguments', { names: 'new_string, replace_all' }]);
  });

  it('that are complete are accepted, as are all arguments of tools that are not built in', () => {
    expect(wrong('write_file', { file_path: '/a', content: '' })).toBeNull();
    expect(wrong('execute', { command: 'ls', timeout: null, background: true })).toBeNull();
    expect(wrong('mcp__notes__add', {})).toBeNull();
  });
});
