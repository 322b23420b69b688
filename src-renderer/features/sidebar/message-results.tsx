import type { FoundThread } from '@contract/commands/search';
import { MessageSquareText } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useT } from '../../i18n';
import { call, openThread, useApp } from '../../link';

/** Shorter queries match almost everything. */
const SHORTEST = 2;
/** Milliseconds after the last keystroke. */
const TYPING = 150;
/** Milliseconds after which the search is repeated while messages are still being indexed. */
const INDEXING = 500;

/** `query`: what was searched for; the field may already have another text. */
type Answer = { query: string; threads: readonly FoundThread[]; cut: boolean; pending: number };

/** Full-text search over all threads; a result opens its thread at the message. */
export const MessageResults = ({ query }: { query: string }) => {
  const t = useT();
  const projects = useApp((app) => app.projects);
  const [answer, setAnswer] = useState<Answer>();
  const [error, setError] = useState<string>();
  const wanted = query.trim();

  useEffect(() => {
    if (wanted.length < SHORTEST) {
      setAnswer(undefined);
      setError(undefined);
      return;
    }
    const cancel = new AbortController();
    const ask = async () => {
      const result = await call('search.messages', { query: wanted.slice(0, 400) }, cancel.signal);
      if (cancel.signal.aborted) return;
      setAnswer(result.ok ? { ...result.value, query: wanted } : undefined);
      setError(result.ok ? undefined : result.error.message);
      if (result.ok && result.value.pending > 0) timer = setTimeout(ask, INDEXING);
    };
    let timer = setTimeout(ask, TYPING);
    return () => {
      clearTimeout(timer);
      cancel.abort();
    };
  }, [wanted]);

  if (error !== undefined)
    return (
      <p role="alert" className="px-1.5 text-small break-words text-deny">
        {error}
      </p>
    );
  if (wanted.length < SHORTEST || answer === undefined) return null;
  return (
    <section aria-label={t('sidebar.inMessages')} className="mt-2 border-t border-line pt-2">
      <h3 className="px-1.5 pb-1 text-small text-fg-3">{t('sidebar.inMessages')}</h3>
      {answer.threads.length === 0 && (
        <p className="px-1.5 text-small text-fg-3">{t('sidebar.noMessages', { query: answer.query })}</p>
      )}
      {answer.threads.map((thread) => (
        <section key={thread.threadId} className="pb-1.5">
          <h4 className="flex h-7 items-center gap-2 px-1.5">
            <MessageSquareText aria-hidden size={14} className="shrink-0 text-fg-3" />
            <span dir="auto" className="min-w-0 grow truncate font-medium" title={thread.title}>
              {thread.title || t('sidebar.untitled')}
            </span>
            <span className="max-w-20 shrink-0 truncate text-small text-fg-3">
              {projects.find(({ id }) => id === thread.projectId)?.name}
            </span>
          </h4>
          {thread.hits.map((hit) => (
            <button
              key={hit.messageId}
              type="button"
              data-thread={thread.threadId}
              tabIndex={0}
              onClick={() =>
                openThread(thread.threadId, hit.messageId, hit.snippet.find((part) => part.hit)?.text)
              }
              className="block w-full rounded-control py-1 pr-2 pl-7 text-left text-small -outline-offset-2 hover:bg-hover"
            >
              <span className="sr-only">{t(hit.role === 'user' ? 'chat.you' : 'chat.agent')}: </span>
              <span className="line-clamp-2 break-words text-fg-2">
                {withHitNear(hit.snippet).map((part, index) =>
                  part.hit ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a part
                    <mark key={index} className="rounded-mark bg-ask-soft font-semibold text-fg">
                      {part.text}
                    </mark>
                  ) : (
                    part.text
                  ),
                )}
              </span>
            </button>
          ))}
          {thread.count > thread.hits.length && (
            <p className="pl-7 text-small text-fg-3">
              {t('sidebar.moreMessages', { count: thread.count - thread.hits.length })}
            </p>
          )}
        </section>
      ))}
      {answer.cut && <p className="px-1.5 text-small text-fg-3">{t('sidebar.searchCut')}</p>}
      {answer.pending > 0 && (
        <p className="px-1.5 text-small text-fg-3">{t('sidebar.searchPending', { count: answer.pending })}</p>
      )}
    </section>
  );
};

/** Characters before the first match, so that it is within the two lines shown, even in the narrowest list. */
const AHEAD = 24;

/** The excerpt, starting shortly before its first match. */
function withHitNear([first, ...rest]: FoundThread['hits'][number]['snippet']) {
  if (first === undefined) return rest;
  const characters = [...first.text];
  if (first.hit || rest.length === 0 || characters.length <= AHEAD) return [first, ...rest];
  const end = characters.slice(-AHEAD).join('');
  // From the next word on, if there is one.
  return [{ ...first, text: `…${end.replace(/^\S*\s+(?=\S)/u, '')}` }, ...rest];
}
