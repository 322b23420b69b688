import { DEFAULT_EXECUTE_TIMEOUT } from '../agent/limits';
import { permissionGate } from '../agent/permission-gate';
import type { SecretGuard } from '../agent/secret-guard';
import { createGate, type Gate, holdingAnswers } from '../approvals/gate';
import type { BackendProtocol } from '../backends/protocol';
import type { Project } from '../contract/app';
import type { TurnTool } from '../mcp/servers';
import type { controlOf } from './control';
import { gateOfMcp, rulesAmong } from './mcp';
import { placesOf } from './mounts';
import { protectedPaths } from './protected-paths';
import { rememberOutside } from './sandboxes';
import { gateOfSecrets } from './secrets';

/**
 * What each call of a run is judged by, from the outside in: secrets are put back for it; whether it runs outside the
 * sandbox is remembered in `outside`; what the person answered holds; servers' tools are said to be theirs; protected
 * paths; then rules and mode.
 */
export function gateOfRun(parts: {
  project: Project;
  backend: BackendProtocol;
  /** Names of the variables that commands find. */
  environment: string[];
  control: ReturnType<typeof controlOf>;
  mcpTools: readonly TurnTool[];
  outside: Set<string>;
  guard: SecretGuard;
  /** Whether the person has answered a question about the call. */
  isAnswered: (callId: string) => boolean;
}): Gate {
  const { project, backend, environment, control, mcpTools, outside, guard, isAnswered } = parts;
  const stack = (more: { asksAlways?: true }) => {
    const byRules = createGate({
      places: placesOf(project),
      backend,
      timeoutSeconds: DEFAULT_EXECUTE_TIMEOUT,
      environment,
      ...control,
      rules: () => rulesAmong(control.rules(), mcpTools),
      ...more,
    });
    const byPaths = permissionGate(byRules, protectedPaths(project.mount), backend, { withheld: true });
    return gateOfMcp(byPaths, mcpTools);
  };
  const byAnswers = holdingAnswers(stack({}), stack({ asksAlways: true }), isAnswered);
  return gateOfSecrets(rememberOutside(byAnswers, outside), guard);
}
