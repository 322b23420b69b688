import { z } from 'zod';
import { TerminalInfo } from '../app';
import { TerminalId } from '../ids';

export const terminalEvents = [
  z.object({ type: z.literal('terminal.changed'), terminal: TerminalInfo }),
  z.object({ type: z.literal('terminal.removed'), terminalId: TerminalId }),
  z.object({
    type: z.literal('terminal.data'),
    terminalId: TerminalId,
    /** UTF-16 units written before `data` since the terminal started. */
    offset: z.number(),
    data: z.string(),
  }),
] as const;
