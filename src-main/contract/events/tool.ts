import { z } from 'zod';
import { AutoApproval } from '../control';
import { CallMedia, CallProgress, MemoryChange, ToolCallStatus } from '../conversation';
import { CallId, TerminalId } from '../ids';
import { RehearsedCall } from '../outcome';
import { Reasons } from '../shared/reasons';
import { SandboxedCall } from '../shared/sandbox';
import { threadEvent } from '../thread-event';

export const toolEvents = [
  threadEvent('tool.started', {
    callId: CallId,
    at: z.number(),
    terminalId: TerminalId.optional(),
    unasked: AutoApproval.optional(),
  }),
  threadEvent('tool.progress', { callId: CallId, progress: CallProgress }),
  threadEvent('tool.ended', {
    callId: CallId,
    status: ToolCallStatus,
    result: z.string(),
    durationMs: z.number(),
    exitCode: z.number().nullable().optional(),
    memory: MemoryChange.optional(),
    refused: Reasons.optional(),
    failure: Reasons.optional(),
    media: z.array(CallMedia).optional(),
    /** What it changed is a file of the thread, in no folder. */
    scratch: z.literal(true).optional(),
    /** Numbers of the secrets that were redacted from the result. */
    withheld: z.array(z.number()).optional(),
  }),
  /** A command is running in the sandbox, or was refused an access there. */
  threadEvent('tool.sandboxed', { callId: CallId, sandbox: SandboxedCall }),
  /** A command is running in a throwaway layer, or its outcome was decided. */
  threadEvent('tool.rehearsed', { callId: CallId, rehearsal: RehearsedCall }),
  /** The result was too large for the model; the thread's file contains all of it. */
  threadEvent('tool.saved', { callId: CallId, path: z.string() }),
] as const;
