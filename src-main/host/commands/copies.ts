import type { ProjectId } from '../../contract/ids';
import { fail, ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { McpServers } from '../../mcp/servers';
import type { Storage } from '../../storage';
import type { TerminalSessions } from '../../terminal/sessions';
import type { Reverts } from '../project/changes/reverts';
import type { PrivateCopies } from '../project/copies/private-copies';
import type { ProjectRegistry } from '../project/projects';
import type { Turns } from '../turns/turns';
import type { Connection } from '../window/connection';
import { endWork } from './project';

interface Parts {
  storage: Storage;
  projects: ProjectRegistry;
  turns: Turns;
  terminals: TerminalSessions;
  mcp: McpServers;
  reverts: Reverts;
  copies: PrivateCopies;
}

export function copiesHandlers(parts: Parts): HandlersOf<'copies', Connection> {
  const { storage, projects, turns, reverts, copies } = parts;
  const isBusy = (projectId: ProjectId) =>
    storage.threads.summaries(projectId).some(({ status }) => status === 'running');
  return {
    'copies.measure': ({ projectId }, _connection, signal) => copies.measure(projectId, signal),
    'copies.make': ({ projectId, ignored }, _connection, signal) => copies.make(projectId, ignored, signal),
    'copies.changes': ({ projectId }, _connection, signal) => copies.changes(projectId, signal),
    'copies.file': ({ projectId, path }, _connection, signal) => copies.file(projectId, path, signal),
    'copies.bringIn': async ({ projectId, threadId, paths, parts: chosen }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      return isBusy(projectId)
        ? fail('conflict', 'agent_at_work_in_copy')
        : copies.bringIn(projectId, threadId, { paths, parts: chosen });
    },
    'copies.undo': async ({ projectId, threadId, callId, force }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      const copy = projects.get(projectId);
      if (!copy.ok) return copy;
      const of = copy.value.copy?.of;
      if (of === undefined) return fail('invalid', 'not_a_copy');
      const original = await projects.present(of);
      if (!original.ok) return original;
      const scope = { kind: 'call', callId } as const;
      const outcome = await reverts.revert(original.value, live.value.state, scope, force);
      if (!outcome.ok) return outcome;
      const { status, files } = outcome.value;
      if (status === 'done') await copies.broughtBack(projectId, callId);
      return ok({ done: status === 'done', files });
    },
    'copies.throwAway': async ({ projectId, force }) => {
      if (!force) {
        const missing = await copies.missing(projectId);
        if (!missing.ok) return ok({ status: 'asks', files: null });
        if (missing.value > 0) return ok({ status: 'asks', files: missing.value });
      }
      await endWork(parts, projectId);
      const thrown = await copies.throwAway(projectId);
      return thrown.ok ? ok({ status: 'done' }) : thrown;
    },
  };
}
