import { createInterface } from 'node:readline/promises';
import type { HostOptions } from '../host/host-options';
import type { CliOptions } from './options';
import type { Output } from './print';

/** The terminal that a person may sit at. Null: nobody can answer. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** Decides about commands that reached their time limit, as the options say, or as the person at the terminal says. */
export function overtimeOf(
  { overtime, json }: Pick<CliOptions, 'overtime' | 'json'>,
  output: Output,
  terminal: Terminal | null,
): NonNullable<HostOptions['overtime']> {
  return async ({ preview }, over) => {
    if (preview.kind !== 'timeout') return false;
    const said = `· still running after its time limit of ${preview.seconds} s, in a throwaway layer`;
    if (overtime === undefined && !json && terminal !== null) return asked(terminal, `${said}\n`, over);
    const waits = overtime === 'wait';
    if (!json) output.err(`${said} [${waits ? 'waiting on' : 'stopping'}]\n`);
    return waits;
  };
}

export const ownTerminal = (): Terminal | null =>
  process.stdin.isTTY && process.stderr.isTTY ? { input: process.stdin, output: process.stderr } : null;

/** Only yes keeps waiting. */
async function asked(terminal: Terminal, said: string, over: AbortSignal): Promise<boolean> {
  const reader = createInterface(terminal);
  try {
    const answer = await reader.question(`${said}  Keep waiting? [y/N] `, { signal: over });
    return /^\s*y(es)?\s*$/i.test(answer);
  } catch {
    // The command has since exited.
    return false;
  } finally {
    reader.close();
  }
}
