import { createHash } from 'node:crypto';
import type { BackendProtocol } from '../backends/protocol';
import type { Approval } from '../contract/conversation';
import type { GateCall } from './call';
import { classify, type Places } from './effects';
import { previewOf } from './preview';

export type { GateCall } from './call';

/** What the person is asked, as the tool and its arguments stand now. */
export type Question = Pick<Approval, 'preview' | 'reason' | 'risk' | 'allowed' | 'digest'> & {
  /** Version of the file that the preview was made from: what is approved is a change to exactly that. */
  fileVersion?: string;
};

export type Verdict =
  | { verdict: 'allow'; reason: string; outside: boolean }
  | { verdict: 'deny'; reason: string }
  | { verdict: 'ask'; question: Question };

export interface Gate {
  /**
   * Fails closed: what is not known to be harmless is asked. `begunBefore`: the call was running when Deepdesk was
   * ended, so nobody knows whether it took effect; then everything that reaches outside the thread is asked.
   */
  judge(call: GateCall, signal: AbortSignal, begunBefore?: boolean): Promise<Verdict>;
}

const BEGUN_BEFORE =
  'It was running when Deepdesk was ended, and may have taken effect already. Allowing it runs it again.';

/**
 * Decides by what a call can touch: reading runs, scratch files and the plan are the agent's own, memories are written
 * with a visible undo, and whatever changes the folder or runs a command is asked. Unknown tools are asked.
 */
export function createGate(options: {
  places: Places;
  backend: BackendProtocol;
  timeoutSeconds: number;
}): Gate {
  const { places, backend, timeoutSeconds } = options;
  return {
    judge: async (call, signal, begunBefore = false) => {
      const effect = classify(call.tool, call.args, places);
      const ask = async (reason: string, risk: Approval['risk']): Promise<Verdict> => {
        const cwd = places.folder;
        const { preview, fileVersion } = await previewOf(call, { backend, cwd, timeoutSeconds, signal });
        const question: Question = {
          preview,
          reason: begunBefore ? BEGUN_BEFORE : reason,
          risk: begunBefore ? 'high' : risk,
          allowed: ['approve', 'edit', 'reject', 'respond'],
          digest: digestOf(call, cwd, fileVersion),
        };
        return {
          verdict: 'ask',
          question: fileVersion === undefined ? question : { ...question, fileVersion },
        };
      };
      switch (effect.kind) {
        case 'none':
          return { verdict: 'allow', reason: 'Reading changes nothing.', outside: false };
        case 'scratch':
          return { verdict: 'allow', reason: 'It stays inside this conversation.', outside: false };
        case 'memory':
          if (begunBefore) return ask(BEGUN_BEFORE, 'high');
          return { verdict: 'allow', reason: 'Memories are written with an undo.', outside: true };
        case 'refused':
          return { verdict: 'deny', reason: effect.reason };
        case 'ask':
          return ask(effect.reason, effect.risk);
        default:
          return effect satisfies never;
      }
    },
  };
}

/** SHA-256 (hex) over the tool, its arguments with sorted keys, the place and the version of the file. */
export function digestOf(call: GateCall, cwd: string, fileVersion: string | undefined): string {
  const text = canonical({ tool: call.tool, args: call.args, cwd, fileVersion: fileVersion ?? null });
  return createHash('sha256').update(text).digest('hex');
}

/** JSON with sorted keys, so that equal values have equal text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
