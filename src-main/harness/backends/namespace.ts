import { type NodeContext, nodeContext, type RunContext } from './run-context';

/** Where a store's files are, or how to tell from the run: per user, project, assistant or thread. */
export type Namespace = readonly string[] | ((context: NodeContext) => readonly string[]);

const COMPONENT = /^[A-Za-z0-9\-_.@+:~]+$/;

/**
 * The namespace of a call. Without one, it is the assistant's own `[assistantId, 'filesystem']`, else `['filesystem']`.
 * Throws for a wrong one, since a program made it, and since guessing would show one user's files to another.
 */
export function resolveNamespace(
  namespace: Namespace | undefined,
  runtime?: Parameters<typeof nodeContext>[0],
): string[] {
  if (Array.isArray(namespace)) return checkNamespace(namespace);
  const context = nodeContext(runtime);
  if (namespace === undefined)
    return checkNamespace(
      context.assistantId === undefined ? ['filesystem'] : [context.assistantId, 'filesystem'],
    );
  return checkNamespace(typeof namespace === 'function' ? namespace(context) : namespace);
}

/** Throws where a component could be read as a pattern, a separator or nothing. */
export function checkNamespace(namespace: readonly unknown[]): string[] {
  if (!Array.isArray(namespace) || namespace.length === 0)
    throw new Error('Namespace array must not be empty.');
  return namespace.map((component: unknown, index) => {
    const at = `Namespace component at index ${index}`;
    if (typeof component !== 'string') throw new Error(`${at} must be a string, got ${typeof component}.`);
    if (component === '') throw new Error(`${at} must not be empty.`);
    if (!COMPONENT.test(component)) throw new Error(`${at} contains disallowed characters: "${component}".`);
    return component;
  });
}

/**
 * Namespaces of one user, project, assistant or thread, told from the run a call happens in (`configurable` and
 * `metadata` of LangGraph). Without that id in the run, or with one that no namespace can hold, a call throws: files of
 * nobody in particular would be everybody's.
 */
export const namespaces = {
  /** `configurable.user_id`, or the id that LangGraph's own authentication gives. */
  user: ({ configurable }: RunContext) =>
    named('users', configurable.user_id ?? configurable.langgraph_auth_user_id),
  project: ({ configurable }: RunContext) => named('projects', configurable.project_id),
  assistant: ({ assistantId, configurable }: RunContext) =>
    named('assistants', assistantId ?? configurable.assistant_id),
  thread: ({ configurable }: RunContext) => named('threads', configurable.thread_id),
};

const named = (kind: string, id: unknown): string[] => checkNamespace([kind, id, 'filesystem']);
