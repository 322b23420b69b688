import type { Attachment } from '@contract/attachments';
import type { QueuedMessage } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import type { Answer, ErrorInWords } from '@contract/result';
import type { SecretKind, SecretsInMessage } from '@contract/secrets';
import { optional } from '@contract/shared/optional';
import {
  ArrowDown,
  ArrowUp,
  CirclePause,
  Clock3,
  CornerUpLeft,
  Ellipsis,
  Paperclip,
  Pencil,
  SendHorizontal,
} from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useT } from '../../../i18n';
import { call } from '../../../link';
import { Button, cx, IconButton, Menu, useBusy } from '../../../ui';
import { type Edited, QueuedText } from './queued-text';
import { secretsIn } from './secret-question';

interface QueueProps {
  threadId: ThreadId;
  queue: readonly QueuedMessage[];
  /** The agent works or waits for a decision. */
  active: boolean;
  /** Uses ⌘ instead of Ctrl, and ⌥ instead of Alt. */
  mac: boolean;
  onError(error: ErrorInWords): void;
  /** Receives what goes back to the composer. */
  onTaken(text: string, attachments: readonly Attachment[]): void;
  /** Arrow Down on the last row. */
  onLeave(): void;
}

/**
 * Messages that the agent has not received yet. By keyboard: arrow keys move from one to the next, Enter or F2 edits the
 * text, Alt and an arrow key moves the message, Ctrl+Enter sends it immediately, Delete unqueues it.
 */
export const Queue = ({ threadId, queue, active, mac, onError, onTaken, onLeave }: QueueProps) => {
  const t = useT();
  const list = useRef<HTMLOListElement>(null);
  const [at, setAt] = useState(queue.length - 1);
  const stop = Math.min(at, queue.length - 1);
  const focus = (index: number) =>
    list.current?.querySelectorAll<HTMLElement>('[data-queued]')[index]?.focus();

  const tell = async (asked: Promise<Answer<unknown>>) => {
    const result = await asked;
    if (!result.ok) onError(result.error);
    return result.ok;
  };
  const actionsOf = ({ id: messageId, when }: QueuedMessage, index: number) => ({
    sendNow: () => void tell(call('thread.sendQueued', { threadId, messageId })),
    unqueue: async () => {
      const result = await call('thread.withdraw', { threadId, messageId });
      if (result.ok) onTaken(result.value.text, result.value.attachments ?? []);
      else onError(result.error);
    },
    move: async (by: -1 | 1) => {
      const to = index + by;
      // Messages for the next step stay before the others.
      if (queue[to]?.when !== when) return;
      if (await tell(call('thread.moveQueued', { threadId, messageId, to }))) focus(to);
    },
    wait: () =>
      void tell(
        call('thread.changeQueued', {
          threadId,
          messageId,
          when: when === 'next_step' ? 'after_turn' : 'next_step',
        }),
      ),
    // If the message was sent during the edit, the text goes to the composer, so that nothing is lost.
    change: async (text: string, secrets?: SecretsInMessage): Promise<Changed> => {
      const result = await call('thread.changeQueued', {
        threadId,
        messageId,
        text,
        ...optional({ secrets }),
      });
      if (result.ok) return { isDone: true, found: [] };
      const found = secrets === undefined ? await secretsIn(threadId, text, result.error) : [];
      if (found.length === 0) onError(result.error);
      const isSent = result.error.kind === 'not_found';
      if (isSent) onTaken(text, []);
      return { isDone: isSent, found };
    },
    take: (text: string) => onTaken(text, []),
  });

  // Nothing is sent automatically while nothing runs.
  const kept = active ? queue.filter((message) => message.kept) : queue;
  const title =
    kept.length === queue.length
      ? t('chat.keptMessages', { count: kept.length })
      : t('chat.queued', { count: queue.length });

  return (
    <section aria-label={title} className="rounded-card border border-line bg-sunken py-1">
      <div className="flex min-h-7 items-center gap-1 pr-1.5 pl-3">
        <h3 className="flex grow items-center gap-1.5 py-0.5 text-small text-fg-3">
          {kept.length === queue.length ? (
            <CirclePause aria-hidden size={12} />
          ) : (
            <Clock3 aria-hidden size={12} />
          )}
          {title}
        </h3>
        {kept.length > 0 && (
          <KeptActions
            onSend={() => void tell(call('thread.sendKept', { threadId }))}
            onEdit={async () => {
              const taken = await withdrawAll(threadId, kept, onError);
              if (taken.count > 0) onTaken(taken.text, taken.attachments);
            }}
          />
        )}
      </div>
      <ol ref={list} aria-label={t('chat.queue')} className="max-h-48 overflow-y-auto">
        {queue.map((message, index) => (
          <Row
            key={message.id}
            message={message}
            active={active}
            mac={mac}
            tabStop={index === stop}
            canMove={(by) => queue[index + by]?.when === message.when}
            actions={actionsOf(message, index)}
            onFocus={() => setAt(index)}
            onStep={(by) => (index + by < queue.length ? focus(Math.max(0, index + by)) : onLeave())}
          />
        ))}
      </ol>
    </section>
  );
};

/** Removes messages from the queue and returns their contents as one, in order. */
async function withdrawAll(
  threadId: ThreadId,
  messages: readonly QueuedMessage[],
  onError: (error: ErrorInWords) => void,
) {
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  let count = 0;
  for (const { id: messageId } of messages) {
    const result = await call('thread.withdraw', { threadId, messageId });
    if (!result.ok) {
      onError(result.error);
      break;
    }
    count += 1;
    if (result.value.text !== '') texts.push(result.value.text);
    attachments.push(...(result.value.attachments ?? []));
  }
  return { count, text: texts.join('\n'), attachments };
}

/** Messages that wait for the person. */
const KeptActions = ({ onSend, onEdit }: { onSend(): void; onEdit(): Promise<void> }) => {
  const t = useT();
  const [busy, during] = useBusy();
  return (
    <>
      <Button size="sm" variant="ghost" disabled={busy} onClick={() => void during(onEdit())}>
        {t('chat.editKept')}
      </Button>
      <Button size="sm" disabled={busy} aria-label={t('chat.sendKeptLabel')} onClick={onSend}>
        {t('chat.sendKept')}
      </Button>
    </>
  );
};

/** `isDone`: the edit is over. `found`: likely secrets that the person must decide about first. */
interface Changed {
  isDone: boolean;
  found: readonly SecretKind[];
}

interface RowProps {
  message: QueuedMessage;
  active: boolean;
  mac: boolean;
  /** The one row that Tab reaches. */
  tabStop: boolean;
  canMove(by: -1 | 1): boolean;
  actions: {
    sendNow(): void;
    unqueue(): Promise<void>;
    move(by: -1 | 1): Promise<void>;
    wait(): void;
    change(text: string, secrets?: SecretsInMessage): Promise<Changed>;
    /** Puts a text into the composer. */
    take(text: string): void;
  };
  onFocus(): void;
  onStep(by: -1 | 1): void;
}

const Row = (props: RowProps) => {
  const { message, mac, tabStop, actions, onFocus, onStep } = props;
  const t = useT();
  const [edited, setEdited] = useState<Edited>();
  const { text, when, kept, attachments = [] } = message;
  const sendNow = t(props.active ? 'chat.sendNow' : 'chat.sendThis');
  const edit = () => setEdited({ text, found: [] });
  const save = async (words: string, secrets?: SecretsInMessage) => {
    setEdited(undefined);
    if (words.trim() === '' || words === text) return;
    const { isDone, found } = await actions.change(words, secrets);
    if (!isDone) setEdited({ text: words, found });
  };
  const leave = async (words: string) => {
    if (words.trim() === '' || words === text) return;
    if (!(await actions.change(words)).isDone) actions.take(words);
  };

  if (edited !== undefined)
    return (
      <QueuedText
        edited={edited}
        onSave={(words, secrets) => void save(words, secrets)}
        onCancel={() => setEdited(undefined)}
        onLeft={(words) => void leave(words)}
      />
    );

  const onKeyDown = (event: KeyboardEvent) => {
    const isSendNow = event.key === 'Enter' && (mac ? event.metaKey : event.ctrlKey);
    if (isSendNow) actions.sendNow();
    else if (event.key === 'Enter' || event.key === 'F2') edit();
    else if (event.key === 'Delete' || event.key === 'Backspace') void actions.unqueue();
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const by = event.key === 'ArrowUp' ? -1 : 1;
      if (event.altKey) void actions.move(by);
      else onStep(by);
    } else return;
    event.preventDefault();
  };

  return (
    <li className="group/queued flex items-center gap-1 pr-1.5 pl-1.5">
      <button
        type="button"
        data-queued
        tabIndex={tabStop ? 0 : -1}
        title={text}
        onClick={edit}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        className="flex h-7 min-w-0 grow items-center gap-2 rounded-control px-1.5 text-left text-fg-2 -outline-offset-2 hover:bg-hover"
      >
        <span className="min-w-0 grow truncate">
          {text || attachments.map(({ name }) => name).join(', ')}
        </span>
        {attachments.length > 0 && (
          <span
            title={attachments.map(({ name }) => name).join('\n')}
            className="flex shrink-0 items-center gap-1 text-small text-fg-3"
          >
            <Paperclip aria-hidden size={12} /> {t('chat.attached', { count: attachments.length })}
          </span>
        )}
        {props.active && (
          <span
            className={cx('shrink-0 text-small', when === 'next_step' && !kept ? 'text-accent' : 'text-fg-3')}
          >
            {t(kept ? 'chat.kept' : when === 'next_step' ? 'chat.nextStep' : 'chat.afterTurn')}
          </span>
        )}
      </button>
      <IconButton
        size="sm"
        label={sendNow}
        tabIndex={tabStop ? 0 : -1}
        icon={<SendHorizontal size={14} />}
        onClick={actions.sendNow}
      />
      <IconButton
        size="sm"
        label={t('chat.withdraw')}
        tabIndex={tabStop ? 0 : -1}
        icon={<CornerUpLeft size={14} />}
        onClick={() => void actions.unqueue()}
      />
      <QueuedMenu {...props} onEdit={edit} />
    </li>
  );
};

const QueuedMenu = (props: RowProps & { onEdit(): void }) => {
  const { message, active, mac, tabStop, canMove, actions, onEdit } = props;
  const t = useT();
  const { when } = message;
  const [ctrl, alt] = mac ? ['⌘', '⌥'] : ['Ctrl+', 'Alt+'];
  return (
    <Menu
      align="end"
      side="top"
      trigger={
        <IconButton
          size="sm"
          label={t('chat.queuedActions')}
          tabIndex={tabStop ? 0 : -1}
          icon={<Ellipsis size={14} />}
        />
      }
      items={[
        {
          label: t(active ? 'chat.sendNow' : 'chat.sendThis'),
          icon: <SendHorizontal size={14} />,
          shortcut: `${ctrl}Enter`,
          onSelect: actions.sendNow,
        },
        {
          label: t(when === 'next_step' ? 'chat.makeAfterTurn' : 'chat.makeNextStep'),
          icon: <Clock3 size={14} />,
          onSelect: actions.wait,
        },
        'separator',
        {
          label: t('chat.editQueued'),
          icon: <Pencil size={14} />,
          shortcut: 'F2',
          onSelect: onEdit,
        },
        {
          label: t('chat.moveUp'),
          icon: <ArrowUp size={14} />,
          shortcut: `${alt}↑`,
          disabled: canMove(-1) ? undefined : t('app.isFirst'),
          onSelect: () => void actions.move(-1),
        },
        {
          label: t('chat.moveDown'),
          icon: <ArrowDown size={14} />,
          shortcut: `${alt}↓`,
          disabled: canMove(1) ? undefined : t('app.isLast'),
          onSelect: () => void actions.move(1),
        },
        {
          label: t('chat.withdraw'),
          icon: <CornerUpLeft size={14} />,
          shortcut: mac ? '⌫' : 'Del',
          onSelect: () => void actions.unqueue(),
        },
      ]}
    />
  );
};
