import type { StructuredToolInterface } from '@langchain/core/tools';
import type { AgentMiddleware } from 'langchain';
import { ConfigurationError } from '../../base/configuration-error';
import type { AgentRef } from './agent-ref';
import { isAsyncSubAgent } from './middleware/async-sub-agents';
import { FILE_TOOLS } from './middleware/filesystem';
import type { InterruptOn } from './middleware/interrupt-on';
import type { MiddlewareSlots } from './middleware/places';
import type { AnySubAgent } from './middleware/sub-agent-specs';
import { toolNames } from './profile';
import { askedAbout, checkToolNames, knownTools, together } from './tool-names';

/** Names of file tools are taken also where the backend cannot delete or run commands: no program may depend on that. */
export function checkCollisions(
  tools: readonly StructuredToolInterface[],
  assembled: readonly AgentMiddleware[],
  own: readonly AgentMiddleware[],
): void {
  if (tools.length === 0) return;
  const isReplaced = own.some(({ name }) => name === 'FilesystemMiddleware');
  const builtIn = new Set([
    ...(isReplaced ? [] : FILE_TOOLS),
    ...toolNames(assembled.filter((one) => !own.includes(one))),
  ]);
  const collisions = tools.map((tool) => tool.name).filter((name) => builtIn.has(name));
  if (collisions.length > 0)
    throw new ConfigurationError(
      `Tools must not have the names of built-in tools: ${collisions.join(', ')}. Give them other names, or put a FilesystemMiddleware without the built-in ones in its place.`,
      'TOOL_NAME_COLLISION',
    );
}

/** The options of an agent that say which calls a person decides about, and which tools there may be. */
interface AskingOptions {
  interruptOn?: InterruptOn;
  middleware?: readonly AgentMiddleware[];
  middlewareFor?: (agent: AgentRef) => MiddlewareSlots;
  subagents?: readonly AnySubAgent[];
}

/** A sub-agent asks by its parent's settings unless it has its own, so each may name the tools of all. */
export function checkAskedTools(
  { interruptOn, middleware = [], middlewareFor, subagents = [] }: AskingOptions,
  tools: readonly StructuredToolInterface[],
  assembled: readonly AgentMiddleware[],
): void {
  const described = subagents.flatMap((one) => (isAsyncSubAgent(one) || 'runnable' in one ? [] : [one]));
  if (
    [interruptOn, ...described.map((one) => one.interruptOn)].every((asks) => askedAbout(asks).length === 0)
  )
    return;
  const all = together([
    knownTools(tools, middlewareFor === undefined ? middleware : assembled, assembled),
    ...described.map((one) => knownTools(one.tools ?? [], one.middleware ?? [])),
  ]);
  checkToolNames('createDeepAgent: interruptOn', askedAbout(interruptOn), all);
  for (const one of described)
    checkToolNames(`The sub-agent ${one.name}: interruptOn`, askedAbout(one.interruptOn), all);
}
