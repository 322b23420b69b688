import type { AgentMiddleware } from 'langchain';
import { ConfigurationError } from '../../base/configuration-error';
import { BUILT_IN_TOOLS } from './built-in-tools';
import type { InterruptOn } from './middleware/interrupt-on';
import { toolNames } from './profile';

/** The tools of an agent as far as they are known before its first run. */
export interface KnownTools {
  names: ReadonlySet<string>;
  /** Whether its middleware can add tools to a request. */
  mayGrow: boolean;
}

/** Built-in tools count in any case: another backend, or a file of sub-agents, may bring them. */
export const knownTools = (
  tools: readonly { name?: unknown }[],
  own: readonly AgentMiddleware[],
  all: readonly AgentMiddleware[] = own,
): KnownTools => ({
  names: new Set([
    ...BUILT_IN_TOOLS.map(({ name }) => name),
    ...tools.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
    ...toolNames(all),
  ]),
  mayGrow: own.some((one) => one.wrapModelCall !== undefined),
});

export const together = (all: readonly KnownTools[]): KnownTools => ({
  names: new Set(all.flatMap(({ names }) => [...names])),
  mayGrow: all.some(({ mayGrow }) => mayGrow),
});

/** The tools that a person is asked about. */
export const askedAbout = (interruptOn: InterruptOn | null | undefined): string[] =>
  Object.entries(interruptOn ?? {}).flatMap(([name, asks]) =>
    asks === false || asks === undefined ? [] : [name],
  );

const warned = new Set<string>();

/** Warns once in a process, since a program may create an agent for each request. */
function warnOnce(text: string): void {
  if (warned.has(text)) return;
  warned.add(text);
  process.emitWarning(text, { code: 'DEEPDESK_UNKNOWN_TOOL' });
}

/**
 * Throws `ConfigurationError` if an option names a tool that does not exist: what the option should stop would run. If
 * middleware can still add the tool, it only warns.
 */
export function checkToolNames(
  option: string,
  named: readonly string[],
  { names, mayGrow }: KnownTools,
  warn = warnOnce,
): void {
  const unknown = named.filter((name) => !names.has(name));
  if (unknown.length === 0) return;
  const what = `${option} names ${unknown.join(', ')}, and there is no such tool`;
  const list = `There are: ${[...names].join(', ')}.`;
  if (!mayGrow) throw new ConfigurationError(`${what}. ${list}`, 'UNKNOWN_TOOL');
  warn(`${what} yet. It has an effect only if middleware adds the tool. ${list}`);
}
