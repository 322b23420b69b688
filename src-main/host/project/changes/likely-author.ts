import { isBelow } from '../../../base/is-below';
import type { AgentAuthor } from '../../../storage/file-changes';

export interface RunningCommand {
  author: AgentAuthor;
  named: string[];
}

/** Among concurrent commands: the one that names the path, else the one that has just finished, else the newest. */
export function authorOf(
  path: string,
  running: readonly RunningCommand[],
  ending: AgentAuthor | undefined,
): AgentAuthor | null {
  const naming = running.filter(({ named }) => named.some((root) => isBelow(path, root)));
  const likely = naming.length > 0 ? naming : running;
  const found = likely.find(({ author }) => author === ending) ?? likely.at(-1);
  if (found === undefined) return ending ?? null;
  return running.length > 1 ? { ...found.author, shared: true } : found.author;
}
