import { Project, TerminalInfo } from '../../contract/app';
import { Approval } from '../../contract/approvals';
import { Message, ThreadInfo } from '../../contract/conversation';

export const project = (id = 'p1', changes: Partial<Project> = {}): Project =>
  Project.parse({
    id,
    name: id,
    folder: `/home/me/${id}`,
    mount: `/home/me/${id}`,
    isSample: false,
    openedAt: 1,
    missing: false,
    ...changes,
  });

export const thread = (id = 't1', changes: Partial<ThreadInfo> = {}): ThreadInfo =>
  ThreadInfo.parse({
    id,
    projectId: 'p1',
    title: `Thread ${id}`,
    model: 'offline:guide',
    createdAt: 1,
    updatedAt: 1,
    ...changes,
  });

export const message = (id: string, text = `text of ${id}`): Message =>
  Message.parse({ role: 'user', id, at: 1, text });

export const approval = (id: string, changes: Record<string, unknown> = {}): Approval =>
  Approval.parse({
    id,
    threadId: 't1',
    callId: `call-${id}`,
    tool: 'execute',
    display: 'command',
    args: { command: 'make' },
    preview: { kind: 'command', command: 'make', cwd: '/home/me/p1', timeoutSeconds: 120 },
    reason: 'Runs a command',
    risk: 'medium',
    allowed: ['approve', 'reject'],
    digest: `digest-${id}`,
    at: 1,
    ...changes,
  });

export const terminal = (id: string, changes: Record<string, unknown> = {}): TerminalInfo =>
  TerminalInfo.parse({
    id,
    kind: 'agent',
    projectId: 'p1',
    threadId: 't1',
    callId: 'c1',
    command: 'make',
    cwd: '/home/me/p1',
    startedAt: 1,
    endedAt: null,
    exitCode: null,
    status: 'running',
    cols: 80,
    rows: 24,
    ...changes,
  });
