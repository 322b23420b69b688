import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n';
import { useAnswer } from '../../link';
import { cx, Input, LoadFailed, Skeleton } from '../../ui';

/** The packages whose code ships, each with the text of its license. */
export const Licenses = () => {
  const t = useT();
  const { answer, reload } = useAnswer('app.licenses', {});
  const [query, setQuery] = useState('');
  const [opened, setOpened] = useState<string | null>(null);
  if (answer.phase === 'failed') return <LoadFailed error={answer.error} onRetry={reload} />;
  if (answer.phase === 'loading') return <Skeleton />;
  const known = answer.value;
  if (known.packages.length === 0) return <p className="text-fg-2">{t('about.noLicenses')}</p>;
  const wanted = query.trim().toLowerCase();
  const found = known.packages.filter(({ name, license }) =>
    `${name} ${license}`.toLowerCase().includes(wanted),
  );
  return (
    <div className="mt-1 flex flex-col gap-2">
      <Input
        type="search"
        aria-label={t('about.findPackage')}
        placeholder={t('about.findPackage')}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <p aria-live="polite" className="text-fg-2">
        {found.length === 0 ? t('about.noPackage') : t('about.packages', { count: found.length })}
      </p>
      <ul className="flex flex-col">
        {found.map(({ name, version, license, text }) => {
          const id = `${name}@${version}`;
          const isOpen = opened === id;
          return (
            <li key={id}>
              <button
                type="button"
                aria-expanded={isOpen}
                className="flex min-h-7 w-full items-center gap-2 rounded-control px-1 text-left hover:bg-hover"
                onClick={() => setOpened(isOpen ? null : id)}
              >
                <ChevronRight aria-hidden size={14} className={cx('shrink-0', isOpen && 'rotate-90')} />
                <span className="min-w-0 grow truncate">
                  {name} <span className="text-fg-2">{version}</span>
                </span>
                <span className="shrink-0 text-fg-2">{license}</span>
              </button>
              {isOpen && (
                <pre className="overflow-x-auto whitespace-pre-wrap p-2 text-fg-2">
                  {(text === null ? undefined : known.texts[text]) ?? t('about.noText')}
                </pre>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
};
