import type { ThreadOrigin } from '@contract/conversation';
import { GitFork } from 'lucide-react';
import { useT } from '../../i18n';
import { openThread, useApp } from '../../link';

/** Where a fork diverges from its original thread. */
export const OriginMark = ({ origin }: { origin: ThreadOrigin }) => {
  const t = useT();
  const found = useApp((app) => app.threads.find((thread) => thread.id === origin.threadId));
  const title = (found?.title ?? origin.title) || t('chat.untitled');
  return (
    <section
      aria-label={t('chat.forkedFrom', { title })}
      className="flex items-start gap-2 border-y border-line py-1.5 text-fg-2"
    >
      <GitFork aria-hidden size={16} className="mt-0.5 shrink-0 text-fg-3" />
      <p className="min-w-0">
        {found === undefined ? (
          t('chat.forkedFrom', { title })
        ) : (
          <button
            type="button"
            onClick={() => openThread(origin.threadId)}
            className="rounded-control text-left underline decoration-line-strong underline-offset-2 hover:text-fg"
          >
            {t('chat.forkedFrom', { title })}
          </button>
        )}
        <span className="block text-small text-fg-3">{t('chat.forkedAbout')}</span>
      </p>
    </section>
  );
};
