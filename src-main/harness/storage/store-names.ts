import { InvalidNamespaceError } from '@langchain/langgraph-checkpoint';

/**
 * Throws LangGraph's error unless the labels can be those of an item. Unlike LangGraph's check, this allows dots
 * and the label `langgraph`, as `PostgresTeamStore` does.
 */
export function checkNamespace(namespace: readonly string[]): void {
  if (namespace.length === 0) throw new InvalidNamespaceError('A namespace needs at least one label.');
  for (const label of namespace) {
    if (typeof label !== 'string')
      throw new InvalidNamespaceError(`The labels of a namespace must be strings, not ${typeof label}.`);
    if (label === '') throw new InvalidNamespaceError('The labels of a namespace must not be empty.');
  }
}
