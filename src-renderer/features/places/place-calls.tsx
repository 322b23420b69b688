import type { PlaceId, ProjectId } from '@contract/ids';
import type { PlaceCall } from '@contract/places';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { useAnswer } from '../../link';
import { Badge, ExactText, Input, LoadFailed, Select, Skeleton } from '../../ui';

const RESULTS = ['allowed', 'asked', 'denied', 'failed'] as const;
const TONES = { allowed: 'neutral', asked: 'neutral', denied: 'deny', failed: 'ask' } as const;
const ALL = 'all';

interface PlaceCallsProps {
  owner: PlaceId | ProjectId;
  name: string;
  /** Paths below it are shown without it. */
  folder?: string;
}

/** The agent's latest calls in a place or a project, with a filter. */
export const PlaceCalls = ({ owner, name, folder = '' }: PlaceCallsProps) => {
  const t = useT();
  const { answer, reload } = useAnswer('places.calls', { owner });
  const [query, setQuery] = useState('');
  const [result, setResult] = useState<string>(ALL);
  if (answer.phase === 'failed') return <LoadFailed error={answer.error} onRetry={reload} />;
  if (answer.phase === 'loading') return <Skeleton lines={3} />;
  const { calls } = answer.value;
  if (calls.length === 0) return <p className="text-small text-fg-3">{t('places.noCalls')}</p>;
  const wanted = query.trim().toLowerCase();
  const shown = calls.filter(
    (one) =>
      (result === ALL || one.result === result) &&
      (one.target.toLowerCase().includes(wanted) || one.title.toLowerCase().includes(wanted)),
  );
  return (
    <section aria-label={t('places.callsOf', { name })} className="flex flex-col gap-2">
      <div className="flex gap-2">
        <Input
          type="search"
          icon={<Search size={14} />}
          aria-label={t('places.searchCalls')}
          placeholder={t('places.searchCalls')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <span className="w-40 shrink-0">
          <Select
            aria-label={t('places.callResult')}
            value={result}
            options={[
              { value: ALL, label: t('places.anyResult') },
              ...RESULTS.map((value) => ({ value, label: t(`places.result_${value}`) })),
            ]}
            onChange={(event) => setResult(event.target.value)}
          />
        </span>
      </div>
      {shown.length === 0 ? (
        <p className="text-small text-fg-3">{t('places.noMatchingCalls')}</p>
      ) : (
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
          tabIndex={0}
          aria-label={t('places.callList')}
          className="max-h-60 overflow-auto rounded-card border border-line"
        >
          {shown.map((one) => (
            <CallLine key={one.id} line={one} folder={folder} />
          ))}
        </ul>
      )}
    </section>
  );
};

const CallLine = ({ line, folder }: { line: PlaceCall; folder: string }) => {
  const { at, operation, target, result, title } = line;
  const t = useT();
  const formats = useFormats();
  return (
    <li className="flex items-center gap-2 border-b border-line px-2 py-1 text-small last:border-b-0">
      <span className="shrink-0 text-fg-3">{formats.moment(at)}</span>
      <span className="shrink-0">{t(`places.call_${operation}`)}</span>
      <span className="min-w-0 grow truncate font-mono" title={target}>
        <ExactText
          text={folder !== '' && target.startsWith(`${folder}/`) ? target.slice(folder.length + 1) : target}
        />
      </span>
      <span className="max-w-40 min-w-0 shrink-0 truncate text-fg-3" title={title}>
        {title}
      </span>
      <Badge tone={TONES[result]}>{t(`places.result_${result}`)}</Badge>
    </li>
  );
};
