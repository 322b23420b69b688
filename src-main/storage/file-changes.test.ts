import { expect, it } from 'vitest';
import type { ChangeAuthor, FileState } from '../contract/changes';
import { CallId, ProjectId, ThreadId } from '../contract/ids';
import { openFileChanges } from './file-changes';
import { temporaryDatabase } from './testing/fixtures';

const p1 = ProjectId.parse('p1');
const threadId = ThreadId.parse('t1');
const before: FileState = { type: 'absent' };
const after: FileState = { type: 'file', hash: 'a', size: 1, mode: 0o644 };
const agent: ChangeAuthor = {
  by: 'agent',
  threadId,
  callId: CallId.parse('c1'),
  agent: null,
  tool: 'execute',
};

it('finds what was changed without asking until it is changed again, undone, or older than asked for', () => {
  const changes = openFileChanges(temporaryDatabase(), () => undefined);
  const changed = (author: ChangeAuthor, at: number, ...paths: string[]) =>
    changes.insert(
      p1,
      author,
      at,
      paths.map((path) => ({ path, before, after })),
    );
  changed({ ...agent, autoApproved: true }, 10, 'a', 'b', 'c', 'd');
  changed(agent, 11, 'asked', 'b');
  changed({ by: 'revert', threadId, revertId: 'r' }, 12, 'c');
  expect(changes.autoApprovedSince(p1, 10, 9)).toEqual(['d', 'a']);
  expect(changes.autoApprovedSince(p1, 10, 1)).toEqual(['d']);
  expect(changes.autoApprovedSince(p1, 11, 9)).toEqual([]);
  expect(changes.autoApprovedSince(ProjectId.parse('p2'), 0, 9)).toEqual([]);
});

it('keeps from where an interrupted revert moves a file', () => {
  const changes = openFileChanges(temporaryDatabase(), () => undefined);
  const steps = [{ path: 'a', before, after: { ...after, hash: null, mark: 'm' }, from: 'b' }];
  const revert = { id: 'r', projectId: p1, threadId, steps };
  changes.revertBegins(revert, 1);
  expect(changes.openReverts(p1)).toEqual([revert]);
});
