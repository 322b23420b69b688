import { z } from 'zod';
import { Retry, Writing } from '../conversation';
import { TurnId } from '../ids';
import { AppError } from '../result';
import { threadEvent } from '../thread-event';

export const turnEvents = [
  threadEvent('turn.started', { turnId: TurnId, at: z.number() }),
  threadEvent('turn.waiting', { turnId: TurnId, at: z.number() }),
  threadEvent('turn.resumed', { turnId: TurnId, at: z.number() }),
  /** Exactly one for each turn.started. */
  threadEvent('turn.ended', {
    turnId: TurnId,
    at: z.number(),
    reason: z.enum(['finished', 'stopped', 'failed', 'interrupted']),
    error: AppError.optional(),
  }),
  /** Summarizing older messages has started or finished. */
  threadEvent('turn.detail', { turnId: TurnId, detail: z.enum(['compacting']).nullable() }),
  /** The thread's own agent writes a call; null: it no longer does. */
  threadEvent('turn.writing', { turnId: TurnId, writing: Writing.nullable() }),
  /** A request waits for its retry; null: it no longer does. */
  threadEvent('turn.retrying', { turnId: TurnId, retry: Retry.nullable() }),
] as const;
