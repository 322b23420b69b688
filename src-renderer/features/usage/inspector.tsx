import type { ThreadId } from '@contract/ids';
import type { InspectedRequest, RequestPart } from '@contract/inspect';
import { ChevronRight, Copy, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { useAnswer } from '../../link';
import {
  Button,
  CopyButton,
  cx,
  Dialog,
  Input,
  LoadFailed,
  Select,
  Skeleton,
  useCopy,
  VirtualList,
} from '../../ui';

interface InspectorProps {
  threadId: ThreadId;
  open: boolean;
  onOpenChange(open: boolean): void;
}

/** Maximum number of UTF-16 units drawn per part; a copy contains all of it. */
const DRAWN = 200_000;

/** Exactly what was last sent to the model, part by part with token counts. */
export const Inspector = ({ threadId, open, onOpenChange }: InspectorProps) => {
  const t = useT();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('usage.inspector')}
      description={t('usage.inspectorHint')}
      size="wide"
    >
      {open && <Requests threadId={threadId} />}
    </Dialog>
  );
};

const Requests = ({ threadId }: { threadId: ThreadId }) => {
  const t = useT();
  const { answer, reload } = useAnswer('thread.inspect', { threadId });
  const [chosen, setChosen] = useState(0);
  if (answer.phase === 'failed') return <LoadFailed error={answer.error} onRetry={reload} />;
  if (answer.phase === 'loading') return <Skeleton lines={8} />;
  const { requests } = answer.value;
  const request = requests[chosen];
  if (request === undefined) return <p className="text-fg-2">{t('usage.nothingSent')}</p>;
  return (
    <div className="flex h-full min-h-0 flex-col gap-3">
      {requests.length > 1 && (
        <Select
          aria-label={t('usage.request')}
          value={String(chosen)}
          options={requests.map((one, index) => ({ value: String(index), label: labelOf(one, t) }))}
          onChange={(event) => setChosen(Number(event.target.value))}
        />
      )}
      <Parts key={chosen} request={request} />
    </div>
  );
};

function labelOf({ agent, isSummary, model }: InspectedRequest, t: ReturnType<typeof useT>): string {
  const name = agent ?? t('usage.ownAgent');
  return `${isSummary ? t('usage.summary', { agent: name }) : name} · ${model}`;
}

const Parts = ({ request }: { request: InspectedRequest }) => {
  const t = useT();
  const formats = useFormats();
  const [query, setQuery] = useState('');
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const { parts } = request;
  const found = useMemo(() => {
    const wanted = query.trim().toLowerCase();
    return parts.flatMap((part, index) => {
      const at = wanted === '' ? 0 : part.text.toLowerCase().indexOf(wanted);
      const isHere = at >= 0 || part.title.toLowerCase().includes(wanted);
      return isHere ? [{ part, index, at: wanted === '' ? -1 : at }] : [];
    });
  }, [parts, query]);
  const toggle = (index: number) => {
    const next = new Set(opened);
    if (!next.delete(index)) next.add(index);
    setOpened(next);
  };
  const copy = useCopy();
  const copyAll = () => copy(parts.map(wholeOf).join('\n\n'), t('usage.copied'));
  const sizes = [
    t('usage.estimated', { tokens: request.tokens }),
    ...(request.counted === null ? [] : [t('usage.counted', { tokens: request.counted })]),
    ...(request.contextWindow === null
      ? []
      : [
          t('usage.ofWindow', {
            percent: `${Math.round(((request.counted ?? request.tokens) / request.contextWindow) * 100)}%`,
          }),
        ]),
    request.model,
    formats.moment(request.at),
  ];
  return (
    <>
      <p className="text-small text-fg-3 tabular-nums">{sizes.join(' · ')}</p>
      <div className="flex items-center gap-2">
        <div className="min-w-0 grow">
          <Input
            type="search"
            aria-label={t('usage.search')}
            placeholder={t('usage.search')}
            icon={<Search size={14} />}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </div>
        <span role="status" className="text-small text-fg-3 tabular-nums">
          {t('usage.found', { found: found.length, count: parts.length })}
        </span>
        <Button size="sm" icon={<Copy size={14} />} onClick={copyAll}>
          {t('usage.copyAll')}
        </Button>
      </div>
      <div className="min-h-0 grow">
        <VirtualList
          aria-label={t('usage.inspector')}
          role="group"
          items={found}
          itemKey={({ index }) => String(index)}
          rowHeight={33}
          measured
        >
          {({ part, index, at }) => (
            <Part part={part} at={at} open={opened.has(index)} onToggle={() => toggle(index)} />
          )}
        </VirtualList>
      </div>
    </>
  );
};

interface PartProps {
  part: RequestPart;
  /** The first match of the search; -1 if there is no search, or only the title matches. */
  at: number;
  open: boolean;
  onToggle(): void;
}

const Part = ({ part, at, open, onToggle }: PartProps) => {
  const t = useT();
  return (
    <div className="border-b border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="flex h-8 w-full items-center gap-2 rounded-control px-1 text-left hover:bg-hover"
      >
        <ChevronRight aria-hidden size={14} className={cx('shrink-0 text-fg-3', open && 'rotate-90')} />
        <span className="w-16 shrink-0 text-small text-fg-3">{t(`usage.${part.kind}`)}</span>
        <span className="min-w-0 grow truncate">{part.title}</span>
        <span className="shrink-0 text-small text-fg-3 tabular-nums">
          {t('usage.tokensShort', { tokens: part.tokens })}
        </span>
      </button>
      {!open && at >= 0 && (
        <p className="truncate pb-1.5 pl-7 font-mono text-small text-fg-2">{around(part.text, at)}</p>
      )}
      {open && (
        <div className="relative pb-2 pl-7">
          <pre className="selectable max-h-80 overflow-auto rounded-control bg-sunken p-2 pr-10 font-mono text-small break-words whitespace-pre-wrap">
            {part.text.slice(0, DRAWN)}
          </pre>
          <span className="absolute top-1 right-1">
            <CopyButton text={part.text} label={t('usage.copyPart')} />
          </span>
          {(part.cut !== undefined || part.text.length > DRAWN) && (
            <p className="pt-1 text-small text-fg-3">
              {t('usage.cut', { count: Math.max(0, part.text.length - DRAWN) + (part.cut ?? 0) })}
            </p>
          )}
        </div>
      )}
    </div>
  );
};

const around = (text: string, at: number) =>
  `${at > 40 ? '…' : ''}${text.slice(Math.max(0, at - 40), at + 160)}`.replaceAll(/\s+/g, ' ');

const wholeOf = ({ kind, title, text }: RequestPart) => `### ${kind}: ${title}\n\n${text}`;
