import type { QueuedMessage } from '@contract/conversation';
import type { ProjectId, ThreadId } from '@contract/ids';
import { MAX_MESSAGE_LENGTH } from '@contract/limits';
import type { ErrorInWords } from '@contract/result';
import type { SecretKind, SecretsInMessage } from '@contract/secrets';
import { optional } from '@contract/shared/optional';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../../i18n';
import { call, toast } from '../../../link';
import type { ChangeDraft } from './drafts';
import { secretsIn } from './secret-question';
import { remember } from './sent-history';
import type { Attaching } from './use-attaching';

/** As a message, this command has the older messages summarized for the model. */
const COMPACT = '/compact';
/**
 * Milliseconds until the sending state is shown. Most messages arrive earlier, and drawing the composer twice would delay
 * their request.
 */
const SENDING_DELAY = 150;

/** Summarizes the older messages of a thread. */
export function useCompact(
  threadId: ThreadId,
  onDraft: ChangeDraft,
  onError: (error: ErrorInWords | undefined) => void,
) {
  const t = useT();
  const [isCompacting, setCompacting] = useState(false);
  const compact = async () => {
    setCompacting(true);
    onError(undefined);
    const compacted = await call('thread.compact', { threadId });
    setCompacting(false);
    if (!compacted.ok) {
      onError(compacted.error);
      return;
    }
    // Chosen from the list, the command is gone already, and what stands below it is a message.
    onDraft((now) => (now.trim() === COMPACT ? '' : now));
    const made = compacted.value;
    toast(
      made === null
        ? t('chat.nothingToCompact')
        : t('chat.compactedToast', { before: made.tokensBefore, after: made.tokensAfter }),
    );
  };
  return { isCompacting, compact };
}

interface SendOptions {
  threadId: ThreadId;
  projectId: ProjectId;
  draft: string;
  onDraft: ChangeDraft;
  attaching: Attaching;
  /** While this is in progress, nothing is sent. */
  compaction: ReturnType<typeof useCompact>;
  onError(error: ErrorInWords | undefined): void;
  /** Called before a message is sent. */
  onBegin(): void;
  onSent(): void;
}

interface Waiting {
  when?: QueuedMessage['when'] | undefined;
  draft: string;
}

/**
 * Sends the draft once its attachments have arrived. If that fails, it stays, as does text typed in the meantime. `isWaiting`: it
 * is to be sent, and some of its attachments are on their way.
 */
export function useSend(options: SendOptions) {
  const { threadId, projectId, draft, onDraft, attaching, compaction, onError } = options;
  const { attached, arriving } = attaching;
  const [isShown, setShown] = useState(false);
  /** A message is being sent, whether that is shown yet or not. */
  const isSending = useRef(false);
  /** The likely secrets in the message, and when it was to be sent. */
  const [found, setFound] = useState<{
    kinds: readonly SecretKind[];
    when?: QueuedMessage['when'] | undefined;
  }>();
  const [waiting, setWaiting] = useState<Waiting>();
  const sending = isShown || compaction.isCompacting;
  const isEmpty = draft.trim() === '' && attached.length === 0 && arriving.length === 0;
  const isWaiting = waiting !== undefined;
  const cannotSend = isEmpty || sending || isWaiting || draft.length > MAX_MESSAGE_LENGTH;

  const send = async (when?: QueuedMessage['when'], secrets?: SecretsInMessage) => {
    if (cannotSend || isSending.current) return;
    if (arriving.length > 0) setWaiting({ when, draft });
    else await transmit(when, secrets);
  };
  const transmit = async (when?: QueuedMessage['when'], secrets?: SecretsInMessage) => {
    options.onBegin();
    if (draft.trim() === COMPACT && attached.length === 0) {
      await compaction.compact();
      return;
    }
    onError(undefined);
    setFound(undefined);
    isSending.current = true;
    const late = setTimeout(() => setShown(true), SENDING_DELAY);
    const result = await call('thread.send', {
      threadId,
      text: draft,
      ...(attached.length === 0 ? {} : { attachments: [...attached] }),
      ...optional({ when, secrets }),
    });
    clearTimeout(late);
    isSending.current = false;
    setShown(false);
    if (!result.ok) {
      const kinds = secrets === undefined ? await secretsIn(threadId, draft, result.error, attached) : [];
      if (kinds.length > 0) setFound({ kinds, when });
      else onError(result.error);
      return;
    }
    // A message with secrets is stored nowhere but in the conversation.
    if (secrets === undefined) remember(projectId, threadId, draft);
    // Text typed since then belongs to the next message.
    onDraft((now) => (now.startsWith(draft) ? now.slice(draft.length) : now));
    attaching.sent(attached);
    options.onSent();
  };

  useEffect(() => {
    if (waiting === undefined) return;
    // Whoever goes on writing, or misses an attachment, has not finished the message.
    const isOver = waiting.draft !== draft || attaching.hasFailed();
    if (!isOver && arriving.length > 0) return;
    setWaiting(undefined);
    if (!isOver) void transmit(waiting.when);
  });

  return { sending, isWaiting, cannotSend, found, send };
}
