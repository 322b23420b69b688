import type { BackendProtocol, GrepMatch } from '../backends/protocol';

/** Files whose context lines are read. Further files show only their matches. */
const MAX_FILES = 100;
/** Files read concurrently. */
const CONCURRENCY = 4;

export interface ShownLine {
  /** 1-based. */
  line: number;
  text: string;
  isMatch: boolean;
}

/**
 * The context lines of matches, by file; groups that touch are merged. A file that can no longer be read, or is past the
 * first hundred, has its matches only. Cancel: rejects with the signal's reason.
 */
export async function withContext(
  backend: BackendProtocol,
  matches: readonly GrepMatch[],
  context: number,
  options: { signal: AbortSignal; timeoutMs: number },
): Promise<Map<string, ShownLine[][]>> {
  const byFile = new Map<string, GrepMatch[]>();
  for (const match of matches) {
    const group = byFile.get(match.path);
    if (group) group.push(match);
    else byFile.set(match.path, [match]);
  }
  const files = [...byFile.entries()];
  const shown = new Map<string, ShownLine[][]>();
  const until = performance.now() + options.timeoutMs;
  const work = files.entries();
  const next = async () => {
    for (const [index, [path, found]] of work) {
      const left = until - performance.now();
      const read = index < MAX_FILES && left > 0;
      const lines = { backend, path, found, context: read ? context : 0 };
      shown.set(
        path,
        await groupsOf(lines, { signal: options.signal, timeoutMs: Math.max(Math.ceil(left), 0) }),
      );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, next));
  return shown;
}

async function groupsOf(
  file: { backend: BackendProtocol; path: string; found: readonly GrepMatch[]; context: number },
  options: { signal: AbortSignal; timeoutMs: number },
): Promise<ShownLine[][]> {
  const { backend, path, found, context } = file;
  const matched = new Map(found.map(({ line, text }) => [line, text]));
  const own = (line: number): ShownLine[] => {
    const text = matched.get(line);
    return text === undefined ? [] : [{ line, text, isMatch: true }];
  };
  const groups: ShownLine[][] = [];
  for (const [from, to] of ranges(
    [...matched.keys()].sort((a, b) => a - b),
    context,
  )) {
    const page = context === 0 ? undefined : await backend.read(path, from - 1, to - from + 1, options);
    const around = typeof page?.content === 'string' ? page.content.split('\n') : [];
    const group: ShownLine[] = [];
    for (let line = from; line <= to; line++) {
      const text = around[line - from];
      if (matched.has(line)) group.push(...own(line));
      else if (text !== undefined) group.push({ line, text, isMatch: false });
    }
    groups.push(group);
  }
  return groups;
}

/** First and last lines of each range to show. Ranges that overlap or touch are merged. */
function ranges(lines: readonly number[], context: number): [from: number, to: number][] {
  const joined: [number, number][] = [];
  for (const line of lines) {
    const [from, to] = [Math.max(1, line - context), line + context];
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
