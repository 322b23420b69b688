import { z } from 'zod';
import { TerminalInfo } from '../app';
import { command, done, nothing } from '../command';
import { Risk } from '../control';
import { ProjectId, TerminalId } from '../ids';
import { TERMINAL_TITLE } from '../limits';
import { Reasons } from '../shared/reasons';

/** What became of the wish to run a command again. */
export const Rerun = z.discriminatedUnion('status', [
  z.object({ status: z.literal('started'), terminal: TerminalInfo }),
  /** The rules ask first. `digest` says what exactly is asked: hand it back as `confirmed`. */
  z.object({ status: z.literal('ask'), reason: Reasons, risk: Risk, digest: z.string() }),
  z.object({ status: z.literal('denied'), reason: Reasons }),
]);
export type Rerun = z.infer<typeof Rerun>;

const Size = {
  cols: z.number().int().min(2).max(1_000),
  rows: z.number().int().min(2).max(1_000),
};

/** Terminals of the person, and those that mirror commands of the agent. */
export const terminalCommands = {
  'terminal.create': command(
    z.strictObject({
      projectId: ProjectId,
      ...Size,
    }),
    TerminalInfo,
  ),
  /** What was printed so far (the last part of it), and from now on terminal.data for this connection. */
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
  /** The window has taken everything before `offset` for its screen: flow control, as xterm.js asks for. */
  'terminal.ack': command(z.strictObject({ terminalId: TerminalId, offset: z.number() }), done),
  /** Ends what runs in it, the whole process tree. */
  'terminal.kill': command(z.strictObject({ terminalId: TerminalId }), done),
  'terminal.close': command(z.strictObject({ terminalId: TerminalId }), done),
  /** The last lines that a terminal printed, as plain text; nothing is held up for who asks. */
  'terminal.tail': command(
    z.strictObject({ terminalId: TerminalId, lines: z.number().int().positive().max(50) }),
    z.object({ text: z.string() }),
  ),
  /** An empty title takes the name back to the command's. */
  'terminal.rename': command(
    z.strictObject({ terminalId: TerminalId, title: z.string().max(TERMINAL_TITLE) }),
    done,
  ),
  /** Names of the programs that run in it, without the shell of a person's own; empty after its end. */
  'terminal.programs': command(
    z.strictObject({ terminalId: TerminalId }),
    z.object({ names: z.array(z.string()) }),
  ),
  /** As the keys for it do: what is on the clipboard goes to what has the focus in the window that the person looks at. */
  'terminal.paste': command(nothing, done),
  /** All that is kept of what it printed, as plain text. */
  'terminal.text': command(z.strictObject({ terminalId: TerminalId }), z.object({ text: z.string() })),
  /**
   * Runs an agent's command again for the person, in the folder where it ran: judged by the rules as they are now, and
   * in the sandbox where they say so. The agent hears nothing of it. Errors: `invalid` for a person's own terminal,
   * `folder_gone`, `not_found`.
   */
  'terminal.rerun': command(
    z.strictObject({ terminalId: TerminalId, confirmed: z.string().max(200).optional() }),
    Rerun,
  ),
  /**
   * Starts the person's shell again where one ended, below what it had printed; the ended one is gone then. Errors:
   * `conflict` while it runs, `invalid` for an agent's, `folder_gone`.
   */
  'terminal.reopen': command(z.strictObject({ terminalId: TerminalId }), TerminalInfo),
  /**
   * Which of these words, as a terminal printed them, name files of the project: their paths as the viewer takes them,
   * in the same order, null for what is none.
   */
  'terminal.locate': command(
    z.strictObject({ terminalId: TerminalId, words: z.array(z.string().min(1).max(1_000)).max(50) }),
    z.object({ paths: z.array(z.string().nullable()) }),
  ),
} as const;
