import type { Approval, Decision } from '@contract/approvals';
import type { ErrorInWords } from '@contract/result';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { call } from '../../link';
import { noteAllowed } from './allowed-calls';
import { takeUnsent } from './unsent-input';
import { forgetInput } from './use-kept-input';

/** Decisions that let something happen to the folder. */
const LETS: readonly Decision['type'][] = ['approve', 'keep', 'run', 'wait', 'again'];

/** Takes the decision: none before the card is armed, and none that allows before all of it was visible. */
export function useDecision(approval: Approval, armed: boolean, ready: boolean) {
  const [busy, setBusy] = useState<Decision['type']>();
  const [error, setError] = useState<ErrorInWords>();
  const send = async (decision: Decision) => {
    setBusy(decision.type);
    setError(undefined);
    const { threadId, id: approvalId, digest } = approval;
    // The card can go before the answer arrives.
    const putBack = takeUnsent(approval);
    const result = await call('thread.decide', { threadId, approvalId, digest, decision });
    setBusy(undefined);
    if (!result.ok) {
      putBack();
      return setError(result.error);
    }
    forgetInput(approval);
    if (decision.type === 'approve') noteAllowed(approval);
  };
  const decide = (decision: Decision) => {
    if (armed && busy === undefined && (ready || !LETS.includes(decision.type))) void send(decision);
  };
  const sendAlways = async () => {
    setBusy('approve');
    setError(undefined);
    const { threadId, id: approvalId, digest } = approval;
    const result = await call('routines.always', { threadId, approvalId, digest });
    setBusy(undefined);
    if (!result.ok && result.error.kind !== 'cancelled') setError(result.error);
  };
  const alwaysInRoutine = () => {
    if (armed && ready && busy === undefined) void sendAlways();
  };
  return { decide, alwaysInRoutine, busy, error };
}

/** Reports that an element is removed with the focus in it, which would otherwise fall to the body. */
export function useWhenLeft(element: RefObject<HTMLElement | null>, onLeft: (() => void) | undefined): void {
  const told = useRef(onLeft);
  told.current = onLeft;
  useLayoutEffect(() => {
    const shown = element.current;
    return () => {
      if (shown?.contains(document.activeElement) === true) told.current?.();
    };
  }, [element]);
}
