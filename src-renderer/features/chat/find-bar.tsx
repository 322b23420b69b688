import type { MessageId, ThreadId } from '@contract/ids';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useT } from '../../i18n';
import { call, onIntent, takeHit, toast } from '../../link';
import { FindBar as Bar, selectField } from '../../ui';

/** The query and the current match: the `nth` (0-based) in a message. */
export interface Found {
  text: string;
  messageId?: MessageId;
  nth: number;
}

interface FindBarProps {
  threadId: ThreadId;
  /** Changes when there is more to search. */
  changed: number;
  onFound(found: Found | undefined): void;
}

interface Match {
  messageId: MessageId;
  count: number;
}

/** Milliseconds after the last keystroke before the whole thread is searched. */
const TYPING = 120;

/** The match with index `at` (0-based) among all matches. */
function placeAt(matches: readonly Match[], at: number): { messageId: MessageId; nth: number } | undefined {
  let rest = at;
  for (const { messageId, count } of matches) {
    if (rest < count) return { messageId, nth: rest };
    rest -= count;
  }
  return undefined;
}

const countOf = (some: readonly Match[]): number => some.reduce((sum, one) => sum + one.count, 0);

/** Searches all messages of the thread. Its action (Ctrl F) opens it. */
export const FindBar = ({ threadId, changed, onFound }: FindBarProps) => {
  const t = useT();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [result, setResult] = useState<{ text: string; matches: readonly Match[] }>();
  // Those of an earlier text are not counted while the next search runs.
  const matches = result?.text === text ? result.matches : undefined;
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef('');
  const total = countOf(matches ?? []);

  /** The message whose match comes first, from a search in all threads. */
  const wanted = useRef<MessageId>(undefined);
  useEffect(() => {
    const take = () => {
      const hit = takeHit(threadId);
      if (hit === undefined) return;
      wanted.current = hit.messageId;
      latest.current = '';
      setText(hit.text);
      setOpen(true);
    };
    take();
    return onIntent((intent) => {
      if (intent.type === 'openThread' && intent.threadId === threadId) take();
      if (intent.type !== 'findInThread') return;
      // Immediately: the next key belongs to the field.
      flushSync(() => setOpen(true));
      selectField(input.current);
    });
  }, [threadId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: searches new messages too
  useEffect(() => {
    if (!open || text === '') {
      setResult(undefined);
      onFound(undefined);
      return;
    }
    const cancel = new AbortController();
    const show = (some: readonly Match[]) => {
      setResult({ text, matches: some });
      // More messages do not move the current match.
      if (latest.current === text) return;
      latest.current = text;
      const asked = some.findIndex(({ messageId }) => messageId === wanted.current);
      wanted.current = undefined;
      // The last match is the newest, so the search starts there.
      const first = asked === -1 ? Math.max(0, countOf(some) - 1) : countOf(some.slice(0, asked));
      setAt(first);
      onFound({ text, nth: 0, ...placeAt(some, first) });
    };
    const timer = setTimeout(() => {
      void call('thread.find', { threadId, text }, cancel.signal).then((found) => {
        if (cancel.signal.aborted) return;
        show(found.ok ? found.value.matches : []);
        if (!found.ok) toast(found.error.message);
      });
    }, TYPING);
    return () => {
      clearTimeout(timer);
      cancel.abort();
    };
  }, [open, text, threadId, changed, onFound]);

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
  if (!open) return null;
  return (
    <Bar
      label={t('chat.find')}
      text={text}
      field={input}
      found={matches === undefined ? undefined : { at, total }}
      onward="up"
      place="over"
      onText={(typed) => {
        latest.current = '';
        setText(typed);
      }}
      onGo={(to) => go(to === 'up' ? -1 : 1)}
      onClose={close}
    />
  );
};
