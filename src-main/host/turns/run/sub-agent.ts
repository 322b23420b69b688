import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { because, type Reason } from '../../../contract/shared/reasons';
import type { BackendProtocol, FilesystemPermission } from '../../../harness';
import { canHoldRules, PermissionRules } from '../../../harness/backends';
import { TOOLS } from '../../../harness/tools/catalogue';

export interface SubAgent {
  name: string;
  /** When to use it, for the model that delegates tasks. */
  description: string;
  systemPrompt: string;
  model?: BaseChatModel;
  /** Its only tools, by name. Default: all tools of its parent except `task`. */
  toolNames?: readonly string[];
  /** Replaces the parent's permissions completely: an empty list means none. */
  permissions?: readonly FilesystemPermission[];
}

/** Whether an agent has the tool for commands. */
export const runsCommands = ({ toolNames }: Pick<SubAgent, 'toolNames'>): boolean =>
  toolNames?.includes(TOOLS.execute.name) !== false;

/** One that a file describes. */
export interface AgentOfFile extends SubAgent {
  file: { path: string; permissionsLine: number };
}

/**
 * The agents whose permissions hold: commands could do what rules about paths deny, wherever commands reach. The others are
 * left out and named in `warn`.
 */
export function withHeldRules(
  agents: readonly AgentOfFile[],
  backend: BackendProtocol,
  warn: (why: Reason) => void,
): SubAgent[] {
  return agents.flatMap(({ file, ...agent }) => {
    const { permissions = [] } = agent;
    if (!runsCommands(agent) || canHoldRules(backend, new PermissionRules(permissions))) return [agent];
    const why = because('agent_permissions_with_commands', { line: file.permissionsLine });
    warn(because('agent_left_out', { path: file.path, why }));
    return [];
  });
}
