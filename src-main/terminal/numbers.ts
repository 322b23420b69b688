import type { TerminalInfo } from '../contract/app';
import { optional } from '../contract/shared/optional';

/**
 * The terminal with a number that none of the person's terminals with the same name in its project has: `wanted` if it is free,
 * otherwise the smallest one. Commands of the agent have none.
 */
export function numbered(
  info: TerminalInfo,
  others: Iterable<TerminalInfo>,
  wanted: number | undefined = info.number,
): TerminalInfo {
  const { number: _before, ...rest } = info;
  if (info.kind !== 'person') return rest;
  const taken = new Set(
    [...others]
      .filter(
        ({ kind, projectId, command }) =>
          kind === 'person' && projectId === info.projectId && command === info.command,
      )
      .map(({ number }) => number ?? 1),
  );
  let free = wanted ?? 1;
  if (taken.has(free)) for (free = 1; taken.has(free); ) free++;
  return { ...rest, ...optional({ number: free === 1 ? undefined : free }) };
}
