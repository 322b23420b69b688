import type { Message } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { useEffect, useMemo } from 'react';
import { useThreadPart } from '../../link';

const TOOLS = ['read_file', 'write_file', 'edit_file'];

/** The file of the agent's last call that has begun, and the line (1-based) where it reads. */
function lastFile(messages: readonly Message[]): { id: string; path: string; line: number | null } | null {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role !== 'agent') continue;
    const call = message.calls.findLast(
      ({ name, status, args }) =>
        TOOLS.includes(name) && status !== 'pending' && typeof args.file_path === 'string',
    );
    if (call === undefined) continue;
    const { file_path: path, offset } = call.args;
    if (typeof path !== 'string') continue;
    return { id: call.callId, path, line: typeof offset === 'number' && offset > 0 ? offset + 1 : null };
  }
  return null;
}

/** While it is on: opens what the agent reads and edits as it does. */
export function useFollow(
  threadId: ThreadId | null,
  on: boolean,
  open: (path: string, line: number | null) => void,
): void {
  const text = useThreadPart(on ? threadId : null, ({ messages }) => JSON.stringify(lastFile(messages)));
  const key = useMemo(() => text ?? 'null', [text]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once for each call
  useEffect(() => {
    if (!on) return;
    const last = JSON.parse(key) as ReturnType<typeof lastFile>;
    if (last !== null) open(last.path, last.line);
  }, [key, on]);
}
