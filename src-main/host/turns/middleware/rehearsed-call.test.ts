import { ToolMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../approvals/gate';
import type { Outcome } from '../../../contract/outcome';
import { afterRehearsal, type CallRehearsals } from './rehearsed-call';

type Row = Outcome['rows'][number];
const row = (more: Partial<Row> = {}): Row => ({ kind: 'created', path: 'a', ...more }) as Row;
const NOTHING: Outcome = {
  manifest: 'm',
  layer: 'l',
  exitCode: 0,
  output: '',
  durationMs: 1,
  rows: [],
  refused: [],
  totals: { files: 0, added: 0, removed: 0, bytes: 0 },
};

/** What happens to an outcome without a person, in a mode that keeps `keeps` without asking. */
async function endOf(outcome: Partial<Outcome>, keeps: 'ignored' | 'rules') {
  const keep: CallRehearsals['keepAutoApproved'] = async () => ({
    status: 'kept',
    result: { content: '', exitCode: 0 },
    paths: ['a'],
    isAll: true,
  });
  const rehearsals: CallRehearsals = {
    mark: () => undefined,
    unmark: async () => undefined,
    finish: async () => ({ outcome: { ...NOTHING, ...outcome } }),
    resultOf: async () => null,
    keep,
    keepAutoApproved: keep,
    discard: async () => undefined,
  };
  const message = new ToolMessage({ content: '', tool_call_id: 'c' });
  const judged = { verdict: 'allow', rehearsal: keeps } as unknown as Verdict;
  return (await afterRehearsal(rehearsals, 'c', { message, judged })).end;
}

const git = (fact: NonNullable<Outcome['git']>[number]['facts'][number], more = {}) => [
  { path: '.git', facts: [fact], ...more },
];

describe('what a command did in Auto in the sandbox', () => {
  it.each<[string, Partial<Outcome>]>([
    ['ordinary files', { rows: [row()] }],
    ['an ignored link that leads out', { rows: [row({ leadsOutside: true, ignored: true })] }],
    ['a commit', { git: git({ what: 'commits', branch: 'main', count: 1 }) }],
    ['staged files', { git: git({ what: 'staged', count: 1 }) }],
  ])('is kept: %s', async (_, outcome) => {
    expect(await endOf(outcome, 'rules')).toBe('result');
  });

  it.each<[string, Partial<Outcome>]>([
    ['a protected file among others', { rows: [row(), row({ path: '.npmrc', protected: true })] }],
    ['a link that leads out', { rows: [row({ leadsOutside: true })] }],
    ['a conflict', { rows: [row({ conflict: true })] }],
    ['a file that undo cannot bring back', { rows: [row()], beyondUndo: 1 }],
    ['a build file', { rows: [row({ path: 'package.json' })], buildFiles: 1 }],
    ['a repository with a conflict', { git: git({ what: 'staged', count: 1 }, { conflict: true }) }],
    ['a new repository', { git: git({ what: 'created' }) }],
    ['a deleted repository', { git: git({ what: 'deleted' }) }],
    ['a hook', { git: git({ what: 'hooks', names: ['pre-commit'] }) }],
    ['the configuration', { git: git({ what: 'config' }) }],
    ['commondir', { git: git({ what: 'obeyed', names: ['commondir'], count: 1 }) }],
    ['something that it lacked', { rows: [row()], refused: [{ what: 'network', name: '' }] }],
  ])('asks: %s', async (_, outcome) => {
    expect(await endOf(outcome, 'rules')).toBe('ask');
  });
});

describe('what a command did in Ask before changes', () => {
  it.each<['result' | 'ask', Partial<Outcome>]>([
    ['result', { rows: [row({ ignored: true })] }],
    ['ask', { rows: [row()] }],
    ['ask', { rows: [row({ ignored: true })], more: 1 }],
    ['ask', { rows: [row({ ignored: true })], beyondUndo: 1 }],
    ['ask', { rows: [row({ ignored: true })], git: git({ what: 'staged', count: 1 }) }],
  ])('ends with %s: %j', async (end, outcome) => {
    expect(await endOf(outcome, 'ignored')).toBe(end);
  });
});
