import { type Approval, Approval as ApprovalSchema } from '@contract/approvals';

/** When all samples were made. */
export const NOW = Date.now();

export const commandApproval = (change: Record<string, unknown> = {}): Approval =>
  ApprovalSchema.parse({
    id: 'a2',
    threadId: 't1',
    callId: 'c9',
    tool: 'execute',
    display: 'command',
    args: { command: 'npm test' },
    preview: {
      kind: 'command',
      command: 'npm test && rm -rf ./out \u202e# gnp.exe',
      cwd: '/home/me/my-api',
      timeoutSeconds: 120,
    },
    reason: 'Commands are asked about because they can change anything that you can change.',
    risk: 'high',
    allowed: ['approve', 'edit', 'reject', 'respond'],
    digest: 'd2',
    at: NOW,
    ...change,
  });

/** Two questions of the agent. */
export const questionApproval = (change: Record<string, unknown> = {}): Approval => {
  const questions = [
    { question: 'Which database?', choices: ['PostgreSQL', 'SQLite'] },
    { question: 'Which pages?', choices: ['Home', 'About', 'Blog'], multiple: true },
  ];
  return commandApproval({
    id: 'a6',
    tool: 'ask_user',
    display: 'ask',
    args: { questions },
    preview: { kind: 'questions', questions },
    reason: 'The agent has a question for you.',
    risk: 'low',
    allowed: ['respond', 'reject'],
    digest: 'd6',
    ...change,
  });
};

/** A command that ran in its throwaway layer and left files of every kind. */
export const outcomeApproval = (
  change: Record<string, unknown> = {},
  outcome: Record<string, unknown> = {},
): Approval => {
  const file = (size: number, mode = 0o644) => ({ type: 'file', size, mode });
  return commandApproval({
    id: 'a5',
    preview: { kind: 'command', command: 'npm run build', cwd: '/home/me/my-api', timeoutSeconds: 120 },
    reason: 'It ran in a throwaway layer and changed 8 files. Nothing is in your folder yet.',
    risk: 'medium',
    allowed: ['keep', 'discard', 'run', 'reject', 'respond'],
    outcome: {
      manifest: 'm1',
      layer: 'l1',
      exitCode: 1,
      output: 'not ok 3 - snapshots\n1 snapshot written\n',
      durationMs: 2_140,
      refused: [{ what: 'network', name: 'registry.npmjs.org' }],
      git: [{ path: '.git', facts: [{ what: 'staged', count: 3 }] }],
      rows: [
        { kind: 'changed', path: 'src/sum.ts', before: file(90), after: file(96), added: 2, removed: 1 },
        { kind: 'created', path: 'test/snapshots/sum.snap', after: file(40), added: 4, removed: 0 },
        { kind: 'deleted', path: 'old.txt', before: file(12), added: 0, removed: 1 },
        { kind: 'changed', path: 'logo.png', before: file(12_000), after: file(14_000), binary: true },
        { kind: 'mode', path: 'run.sh', before: file(9), after: file(9, 0o755), protected: true },
        {
          kind: 'link',
          path: 'latest',
          before: { type: 'link', size: 5, mode: 0o777, target: 'v1' },
          after: { type: 'link', size: 5, mode: 0o777, target: 'v2' },
        },
        { kind: 'changed', path: 'notes.md', before: file(5), after: file(6), conflict: true },
        { kind: 'group', path: 'node_modules', count: 1_204, bytes: 31_000_000, ignored: true },
      ],
      totals: { files: 1_211, added: 6, removed: 2, bytes: 31_014_151 },
      ...outcome,
    },
    ...change,
  });
};

export const editApproval = (): Approval =>
  ApprovalSchema.parse({
    id: 'a1',
    threadId: 't1',
    callId: 'c8',
    tool: 'edit_file',
    display: 'edit',
    args: {
      file_path: '/home/me/my-api/src/sum.ts',
      old_string: 'return a - b;',
      new_string: 'return a + b;',
    },
    preview: {
      kind: 'diff',
      path: '/home/me/my-api/src/sum.ts',
      isNew: false,
      hunks: [
        {
          oldStart: 9,
          oldLines: 6,
          newStart: 9,
          newLines: 7,
          lines: [
            ' /** The sum of two numbers. */',
            ' export function sum(a: number, b: number): number {',
            '-  return a - b;',
            '+  return a + b;',
            ' }',
            ' ',
            '+export const zero = 0;',
            ' export default sum;',
          ],
        },
      ],
      added: 2,
      removed: 1,
      cut: false,
    },
    reason: 'Changes to files of the folder are asked about.',
    risk: 'low',
    allowed: ['approve', 'edit', 'reject', 'respond'],
    digest: 'd1',
    at: NOW,
  });
