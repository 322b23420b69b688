import type { ThreadState } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { type ComponentProps, memo, type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import { useApp } from '../../../link';
import { Composer } from './composer';
import { readDraft, useDraft } from './drafts';
import type { Taker } from './use-drop';

/** The composer of a thread without messages. */
export interface EmptyComposer {
  /** Replaces its text, for editing. */
  use(text: string): void;
  /** Puts a text into it that the person can send, unless it has another text than `before`. */
  fill(text: string, before?: string): void;
}

/** What connects the composer with the rest of the conversation. `putText` puts a text into it for editing. */
export function useComposerRefs(threadId: ThreadId) {
  const setDraft = useRef<(text: string) => void>(() => undefined);
  const input = useRef<HTMLTextAreaElement>(null);
  const taker = useRef<Taker>(null);
  const putText = useCallback((text: string): void => {
    setDraft.current(text);
    input.current?.focus();
  }, []);
  const fill = useCallback(
    (text: string, before?: string): void => {
      if (['', before].includes(readDraft(threadId))) setDraft.current(text);
    },
    [threadId],
  );
  return { setDraft, input, taker, putText, fill };
}

type DraftComposerProps = Omit<ComponentProps<typeof Composer>, 'draft' | 'onDraft'> & {
  setDraft: RefObject<(text: string) => void>;
};

/**
 * Holds the draft, so that typing redraws only the composer and not the conversation. Nothing can be sent where the private
 * copy was thrown away.
 */
function DraftComposer({ setDraft, ...rest }: DraftComposerProps) {
  const isGone = useApp((app) => app.projects.find(({ id }) => id === rest.projectId)?.copy?.gone === true);
  const [draft, change] = useDraft(rest.threadId);
  useLayoutEffect(() => {
    setDraft.current = change;
  }, [setDraft, change]);
  return isGone ? null : <Composer {...rest} draft={draft} onDraft={change} />;
}

/** Memoized, so that streamed text does not redraw it. */
const QuietComposer = memo(DraftComposer);

interface ThreadComposerProps extends Pick<DraftComposerProps, 'controls' | 'stopKeys'> {
  state: ThreadState;
  mount: string;
  onSent(): void;
  refs: ReturnType<typeof useComposerRefs>;
}

/** The composer for a thread as it is now. */
export const ThreadComposer = ({ state, refs, ...rest }: ThreadComposerProps) => {
  const mac = useApp((app) => app.platform === 'darwin');
  const { phase } = state.turn;
  return (
    <QuietComposer
      threadId={state.thread.id}
      projectId={state.thread.projectId}
      phase={phase === 'running' && state.approvals.length > 0 ? 'waiting' : phase}
      queue={state.queue}
      lastMessage={state.messages.findLast((message) => message.role === 'user')?.text}
      mac={mac}
      setDraft={refs.setDraft}
      input={refs.input}
      taker={refs.taker}
      {...rest}
    />
  );
};
