import { setImmediate } from 'node:timers/promises';
import type { TerminalInfo } from '../../contract/app';
import type { TerminalId, ThreadId } from '../../contract/ids';
import type { Result } from '../../contract/result';
import { plainText } from './plain-text';

/** Commands that are returned, and UTF-16 units around the first match of each. */
const MAX_COMMANDS = 100;
const BEFORE = 40;
const LINE = 160;

interface Outputs {
  list(): TerminalInfo[];
  recorded(id: TerminalId): Result<{ data: string }>;
}

interface FoundOutput {
  terminalId: TerminalId;
  /** Lines that contain the text. */
  count: number;
  /** The first of them, cut around the match. */
  line: string;
}

/** The commands of a thread whose stored output contains the text, in any case, the newest first. Rejects with the signal's reason. */
export async function searchOutputs(
  outputs: Outputs,
  threadId: ThreadId,
  text: string,
  signal: AbortSignal,
): Promise<FoundOutput[]> {
  const wanted = text.toLowerCase();
  const found: FoundOutput[] = [];
  for (const { id } of outputs
    .list()
    .filter((one) => one.threadId === threadId)
    .reverse()) {
    if (found.length >= MAX_COMMANDS) break;
    // Each may hold megabytes.
    await setImmediate(undefined, { signal });
    const recorded = outputs.recorded(id);
    if (!recorded.ok) continue;
    const lines = plainText(recorded.value.data)
      .split('\n')
      .filter((line) => line.toLowerCase().includes(wanted));
    const [first] = lines;
    if (first !== undefined) found.push({ terminalId: id, count: lines.length, line: around(first, wanted) });
  }
  return found;
}

function around(line: string, wanted: string): string {
  const start = Math.max(0, line.toLowerCase().indexOf(wanted) - BEFORE);
  const part = line.slice(start, start + LINE).trim();
  return `${start > 0 ? '…' : ''}${part}${start + LINE < line.length ? '…' : ''}`;
}
