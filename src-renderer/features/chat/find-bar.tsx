import type { MessageId, ThreadId } from '@contract/ids';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { call, onIntent } from '../../link';
import { IconButton, Input } from '../../ui';

/** What is looked for, and the place that is pointed at: the `nth` (from 0) in a message. */
export interface Found {
  text: string;
  messageId?: MessageId;
  nth: number;
}

interface FindBarProps {
  threadId: ThreadId;
  /** Another number: there is more to look in. */
  changed: number;
  onFound(found: Found | undefined): void;
}

interface Match {
  messageId: MessageId;
  count: number;
}

/** Milliseconds after the last key before the whole thread is searched. */
const TYPING = 120;

/** The place of number `at` (from 0) among all. */
function placeAt(matches: readonly Match[], at: number): { messageId: MessageId; nth: number } | undefined {
  let rest = at;
  for (const { messageId, count } of matches) {
    if (rest < count) return { messageId, nth: rest };
    rest -= count;
  }
  return undefined;
}

/** Search in the thread: its action (Ctrl F) opens it, Enter and Shift+Enter go on and back, Escape closes. All messages are searched. */
export const FindBar = ({ threadId, changed, onFound }: FindBarProps) => {
  const t = useT();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [matches, setMatches] = useState<readonly Match[]>();
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const total = (matches ?? []).reduce((sum, { count }) => sum + count, 0);

  useEffect(
    () =>
      onIntent((intent) => {
        if (intent.type !== 'findInThread') return;
        setOpen(true);
        requestAnimationFrame(() => input.current?.select());
      }),
    [],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said meanwhile is searched too
  useEffect(() => {
    if (!open || text === '') {
      setMatches(undefined);
      return;
    }
    const cancel = new AbortController();
    const timer = setTimeout(() => {
      void call('thread.find', { threadId, text }, cancel.signal).then((result) => {
        if (!cancel.signal.aborted) setMatches(result.ok ? result.value.matches : []);
      });
    }, TYPING);
    return () => {
      clearTimeout(timer);
      cancel.abort();
    };
  }, [open, text, threadId, changed]);

  // The last place is the newest: that is where one looks first.
  const latest = useRef('');
  useEffect(() => {
    if (!open || text === '') return onFound(undefined);
    if (matches === undefined || latest.current === text) return;
    latest.current = text;
    const count = matches.reduce((sum, one) => sum + one.count, 0);
    setAt(Math.max(0, count - 1));
    onFound({ text, nth: 0, ...placeAt(matches, Math.max(0, count - 1)) });
  }, [open, text, matches, onFound]);

  const go = (step: number) => {
    if (total === 0 || matches === undefined) return;
    const next = (at + step + total) % total;
    setAt(next);
    onFound({ text, nth: 0, ...placeAt(matches, next) });
  };
  const close = () => {
    setOpen(false);
    latest.current = '';
    onFound(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') go(event.shiftKey ? 1 : -1);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };

  if (!open) return null;
  return (
    <search
      aria-label={t('chat.find')}
      className="absolute top-2 right-4 z-20 flex animate-appear items-center gap-1 rounded-card border border-line-strong bg-raised p-1 shadow-float"
      onKeyDown={onKeyDown}
    >
      <Input
        ref={input}
        autoFocus
        aria-label={t('chat.find')}
        placeholder={t('chat.find')}
        value={text}
        maxLength={400}
        onChange={(event) => {
          latest.current = '';
          setText(event.target.value);
        }}
        className="w-52"
      />
      <span role="status" className="min-w-16 px-1 text-center text-small text-fg-3 tabular-nums">
        {matches === undefined || text === ''
          ? ''
          : total === 0
            ? t('chat.findNone')
            : t('chat.findAt', { at: at + 1, total })}
      </span>
      <IconButton
        size="sm"
        label={t('chat.findPrevious')}
        shortcut="Enter"
        disabled={total === 0}
        onClick={() => go(-1)}
        icon={<ChevronUp size={16} />}
      />
      <IconButton
        size="sm"
        label={t('chat.findNext')}
        shortcut="Shift+Enter"
        disabled={total === 0}
        onClick={() => go(1)}
        icon={<ChevronDown size={16} />}
      />
      <IconButton size="sm" label={t('chat.findClose')} onClick={close} icon={<X size={16} />} />
    </search>
  );
};
