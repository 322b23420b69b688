import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import { type RuleParts, Rules } from '../approvals/rules-and-modes';
import { tryCommand } from '../approvals/try-command';
import type { Connection } from '../window/connection';

export function rulesHandlers(parts: RuleParts): HandlersOf<'rules', Connection> {
  const rules = new Rules(parts);
  return {
    'rules.suggest': ({ threadId, approvalId }) => rules.suggest(threadId, approvalId),
    'rules.preview': (draft) => rules.preview(draft),
    'rules.save': ({ draft, replaces }) => rules.save(draft, replaces),
    'rules.remove': ({ id }) => rules.remove(id),
    'rules.restore': ({ id }) => rules.restore(id),
    'rules.test': async ({ projectId, command }, _connection, signal) => {
      const project = parts.projects.get(projectId);
      return project.ok ? ok(await tryCommand(parts, project.value, command, signal)) : project;
    },
  };
}
