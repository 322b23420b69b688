import { z } from 'zod';
import { TerminalInfo } from '../app';
import { command, done, nothing } from '../command';
import { Risk } from '../control';
import { ProjectId, TerminalId, ThreadId } from '../ids';
import { TERMINAL_TITLE } from '../limits';
import { Reasons } from '../shared/reasons';

/** The result of a request to run a command again. */
export const Rerun = z.discriminatedUnion('status', [
  z.object({ status: z.literal('started'), terminal: TerminalInfo }),
  /** The rules require approval. `digest` identifies the exact question: send it back as `confirmed`. */
  z.object({ status: z.literal('ask'), reason: Reasons, risk: Risk, digest: z.string() }),
  z.object({ status: z.literal('denied'), reason: Reasons }),
]);
export type Rerun = z.infer<typeof Rerun>;

const Size = {
  cols: z.number().int().min(2).max(1_000),
  rows: z.number().int().min(2).max(1_000),
};

/** The person's terminals, and those that mirror the agent's commands. */
export const terminalCommands = {
  'terminal.create': command(
    z.strictObject({
      projectId: ProjectId,
      ...Size,
    }),
    TerminalInfo,
  ),
  /** The last part of the output so far. From now on, this connection receives terminal.data. */
  'terminal.attach': command(
    z.strictObject({ terminalId: TerminalId }),
    z.object({ terminal: TerminalInfo, offset: z.number(), data: z.string() }),
  ),
  'terminal.detach': command(z.strictObject({ terminalId: TerminalId }), done),
  'terminal.input': command(
    z.strictObject({ terminalId: TerminalId, data: z.string().max(1_000_000) }),
    done,
  ),
  'terminal.resize': command(
    z.strictObject({
      terminalId: TerminalId,
      ...Size,
    }),
    done,
  ),
  /** The window has consumed everything before `offset`: flow control, as xterm.js requires. */
  'terminal.ack': command(z.strictObject({ terminalId: TerminalId, offset: z.number() }), done),
  /** Kills the running process tree. */
  'terminal.kill': command(z.strictObject({ terminalId: TerminalId }), done),
  'terminal.close': command(z.strictObject({ terminalId: TerminalId }), done),
  /** The last lines of a terminal as plain text, without flow control. */
  'terminal.tail': command(
    z.strictObject({ terminalId: TerminalId, lines: z.number().int().positive().max(50) }),
    z.object({ text: z.string() }),
  ),
  /** An empty title restores the command's name. */
  'terminal.rename': command(
    z.strictObject({ terminalId: TerminalId, title: z.string().max(TERMINAL_TITLE) }),
    done,
  ),
  /** Names of the programs running in it, except the person's shell itself; empty after it exits. */
  'terminal.programs': command(
    z.strictObject({ terminalId: TerminalId }),
    z.object({ names: z.array(z.string()) }),
  ),
  /** Pastes the clipboard into the focused element of the person's current window, like the keyboard shortcut. */
  'terminal.paste': command(nothing, done),
  /** The commands of a thread whose stored output contains the text, the newest first; `line` is the first match of each. */
  'terminal.search': command(
    z.strictObject({ threadId: ThreadId, text: z.string().min(1).max(400) }),
    z.object({
      found: z.array(z.object({ terminalId: TerminalId, count: z.number(), line: z.string() })),
    }),
  ),
  /** All stored output as plain text. */
  'terminal.text': command(z.strictObject({ terminalId: TerminalId }), z.object({ text: z.string() })),
  /**
   * Runs an agent's command again for the person, in its original folder: judged by the current rules, and in the sandbox if
   * they say so. The agent is not told. Errors: `invalid` for the person's terminal, `folder_gone`, `not_found`.
   */
  'terminal.rerun': command(
    z.strictObject({ terminalId: TerminalId, confirmed: z.string().max(200).optional() }),
    Rerun,
  ),
  /**
   * Restarts the person's shell in an exited terminal, below its output; the exited one is then gone. Errors: `conflict`
   * while it is running, `invalid` for an agent's, `folder_gone`.
   */
  'terminal.reopen': command(z.strictObject({ terminalId: TerminalId }), TerminalInfo),
  /** Which of these words from a terminal name project files: their paths for the viewer, in the same order, or null. */
  'terminal.locate': command(
    z.strictObject({ terminalId: TerminalId, words: z.array(z.string().min(1).max(1_000)).max(50) }),
    z.object({ paths: z.array(z.string().nullable()) }),
  ),
} as const;
