import type { CommandOutcome, SandboxReport } from '../harness';
import type { SessionOutcome } from './session';

/** Exit code that shells use for a command that could not be started. */
const NOT_STARTED = 127;

/** The result of a command that could not be started, with the reason as output. */
export const notStarted = (output: string): CommandOutcome => ({
  output,
  exitCode: NOT_STARTED,
  truncated: false,
  timedOut: false,
  durationMs: 0,
});

export function report(
  { status, exitCode, leftovers }: SessionOutcome,
  { text, truncated }: { text: string; truncated: boolean },
  durationMs: number,
): CommandOutcome {
  const notes: string[] = [];
  if (leftovers.length > 0) {
    notes.push(
      `[${leftovers.length === 1 ? '1 process' : `${leftovers.length} processes`} left running in the background stopped with the command: ${nameSome(leftovers)}]`,
    );
  }
  if (status === 'stopped') notes.push('[The person stopped this command in the terminal.]');
  return withNotes(
    { output: text, exitCode, truncated, timedOut: status === 'timed_out', durationMs },
    notes,
  );
}

export function withReport(outcome: CommandOutcome, sandbox: SandboxReport | null): CommandOutcome {
  if (sandbox === null) return outcome;
  const { note, refused } = sandbox;
  const noted = note === null ? outcome : withNotes(outcome, [note]);
  return refused.length === 0 ? noted : { ...noted, refused };
}

export function withNotes(outcome: CommandOutcome, notes: readonly string[]): CommandOutcome {
  const { output } = outcome;
  const separator = output === '' || output.endsWith('\n') || notes.length === 0 ? '' : '\n';
  return { ...outcome, output: output + separator + notes.join('\n') };
}

/** `node, sh and 3 more` */
function nameSome(names: string[]): string {
  const different = [...new Set(names)];
  const shown = different.slice(0, 5);
  const more = different.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
