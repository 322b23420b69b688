import { types } from 'node:util';
import { type NodeContext, nodeContext, type RunContext } from './run-context';

/** The namespace of a store's files, or a function that derives it from the run: per user, project, assistant or thread. */
export type Namespace = readonly string[] | ((context: NodeContext) => readonly string[]);

const COMPONENT = /^[A-Za-z0-9\-_.@+:~]+$/;

/**
 * The namespace of a call. Default: the assistant's `[assistantId, 'filesystem']`, else `['filesystem']`. Throws for an
 * invalid one: that is a bug, and a guess could show one user's files to another.
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

/** Throws if a component is empty or could be read as a pattern or a separator. */
export function checkNamespace(namespace: readonly unknown[]): string[] {
  if (!Array.isArray(namespace)) {
    const got = types.isPromise(namespace) ? 'a promise' : typeof namespace;
    throw new Error(`A namespace must be an array of strings, got ${got}.`);
  }
  if (namespace.length === 0) throw new Error('Namespace array must not be empty.');
  return namespace.map((component: unknown, index) => {
    const at = `Namespace component at index ${index}`;
    if (typeof component !== 'string') throw new Error(`${at} must be a string, got ${typeof component}.`);
    if (component === '') throw new Error(`${at} must not be empty.`);
    if (!COMPONENT.test(component)) throw new Error(`${at} contains disallowed characters: "${component}".`);
    return component;
  });
}

/**
 * Namespaces of one user, project, assistant or thread, derived from the run of a call (LangGraph's `configurable` and
 * `metadata`). A call throws if the run lacks that id, or if no namespace can hold it: files without an owner would belong
 * to everybody.
 */
export const namespaces = {
  /** `configurable.user_id`, or the id from LangGraph's authentication. */
  user: ({ configurable }: RunContext) =>
    named('user', configurable.user_id ?? configurable.langgraph_auth_user_id),
  /** `configurable.project_id`. */
  project: ({ configurable }: RunContext) => named('project', configurable.project_id),
  /** The assistant that serves the run, or `configurable.assistant_id`. */
  assistant: ({ assistantId, configurable }: RunContext) =>
    named('assistant', assistantId ?? configurable.assistant_id),
  /** `configurable.thread_id`. */
  thread: ({ configurable }: RunContext) => named('thread', configurable.thread_id),
};

function named(owner: string, id: unknown): string[] {
  if (id === undefined || id === null) {
    const key = `${owner}_id`;
    throw new Error(
      `namespaces.${owner}: the run has no configurable.${key}. Pass { configurable: { ${key} } } to invoke or stream.`,
    );
  }
  return checkNamespace([`${owner}s`, id, 'filesystem']);
}
