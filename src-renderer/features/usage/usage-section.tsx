import type { UsageRow } from '@contract/commands/usage';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { call, lastIn, openSettings, useAnswer, useApp } from '../../link';
import { Button, EmptyState, ErrorNote, LoadFailed, Select, Skeleton } from '../../ui';
import { type Measure, UsageChart } from './usage-chart';
import { dayOf, lastDays, sumOf, sumsBy, sumsByDay, tokensOf } from './usage-sums';
import { UsageTable } from './usage-table';

const SPANS = [7, 30, 90, 365];

/** What models used and cost, by day, model and project. */
export const UsageSection = () => {
  const t = useT();
  const [count, setCount] = useState(30);
  const [measure, setMeasure] = useState<Measure>('tokens');
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const [error, setError] = useState<string>();
  const [saved, setSaved] = useState<string>();
  const days = lastDays(dayOf(new Date()), count);
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const { answer, reload } = useAnswer('usage.report', { from, to }, true);
  const rows = lastIn(answer)?.value.rows;
  const save = async () => {
    const result = await call('usage.save', { from, to });
    setSaved(result.ok ? (result.value.path ?? undefined) : undefined);
    setError(result.ok ? undefined : result.error.message);
  };
  return (
    <div className="flex flex-col gap-5">
      <p className="text-small text-fg-3">{t('data.usageHint')}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label={t('data.days')}
          className="w-auto!"
          value={`${count}`}
          options={SPANS.map((span) => ({ value: `${span}`, label: t('data.lastDays', { count: span }) }))}
          onChange={(event) => setCount(Number(event.target.value))}
        />
        <Select
          aria-label={t('data.measure')}
          className="w-auto!"
          value={measure}
          options={[
            { value: 'tokens', label: t('data.tokens') },
            { value: 'cost', label: t('data.cost') },
          ]}
          onChange={(event) => setMeasure(event.target.value === 'cost' ? 'cost' : 'tokens')}
        />
        <Select
          aria-label={t('data.view')}
          className="w-auto!"
          value={view}
          options={[
            { value: 'chart', label: t('data.chart') },
            { value: 'table', label: t('data.table') },
          ]}
          onChange={(event) => setView(event.target.value === 'table' ? 'table' : 'chart')}
        />
        <span className="grow" />
        <Button
          icon={<Download size={14} />}
          disabled={rows === undefined || rows.length === 0}
          onClick={() => void save()}
        >
          {t('data.saveCsv')}
        </Button>
      </div>
      <p role="status" className="selectable text-small break-words text-fg-2 empty:hidden">
        {saved !== undefined && t('data.savedTo', { path: saved })}
      </p>
      {error !== undefined && <ErrorNote message={error} />}
      {answer.phase === 'failed' && <LoadFailed error={answer.error} onRetry={reload} />}
      {answer.phase === 'loading' && <Skeleton lines={8} />}
      {rows?.length === 0 && <EmptyState>{t('data.nothingUsed')}</EmptyState>}
      {rows !== undefined && rows.length > 0 && (
        <Report rows={rows} days={days} measure={measure} view={view} />
      )}
    </div>
  );
};

interface ReportProps {
  rows: readonly UsageRow[];
  days: readonly string[];
  measure: Measure;
  view: 'chart' | 'table';
}

const Report = ({ rows, days, measure, view }: ReportProps) => {
  const t = useT();
  const formats = useFormats();
  const projects = useApp((app) => app.projects);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const projectOf = ({ projectId }: UsageRow) =>
    projectId === null ? t('data.noProject') : (names.get(projectId) ?? t('data.noProject'));
  const bySize = <T extends { cost: number }>(sums: T[], tokens: (sum: T) => number) =>
    sums.toSorted((a, b) => (measure === 'cost' ? b.cost - a.cost : tokens(b) - tokens(a)));
  const sum = sumOf(rows);
  const everyDay = sumsByDay(rows, days);
  return (
    <>
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        <Sum term={t('data.requests')} value={formats.number(sum.requests)} />
        <Sum term={t('data.tokens')} value={formats.number(tokensOf(sum))} />
        <Sum term={t('data.cacheRead')} value={formats.number(sum.cacheRead)} />
        <Sum term={t('data.cost')} value={`${sum.unpriced > 0 ? '≥ ' : ''}${formats.money(sum.cost)}`} />
      </dl>
      {sum.unpriced > 0 && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fg-2">
          <p>{t('data.unpriced', { count: sum.unpriced })}</p>
          <Button size="sm" onClick={() => openSettings('spending')}>
            {t('data.enterPrices')}
          </Button>
        </div>
      )}
      {sum.untold > 0 && <p className="text-fg-2">{t('data.untold', { count: sum.untold })}</p>}
      {view === 'chart' ? (
        <section className="flex flex-col gap-2">
          <h4 className="font-medium">{t('data.byDay')}</h4>
          <UsageChart days={everyDay} measure={measure} />
        </section>
      ) : (
        <UsageTable
          title={t('data.byDay')}
          of={t('data.day')}
          sums={everyDay.filter(({ requests }) => requests > 0).toReversed()}
        />
      )}
      <UsageTable
        title={t('data.byModel')}
        of={t('data.model')}
        sums={bySize(
          sumsBy(rows, ({ model }) => model),
          tokensOf,
        )}
        {...(view === 'chart' ? { bars: measure } : {})}
      />
      <UsageTable
        title={t('data.byProject')}
        of={t('data.project')}
        sums={bySize(sumsBy(rows, projectOf), tokensOf)}
        {...(view === 'chart' ? { bars: measure } : {})}
      />
    </>
  );
};

const Sum = ({ term, value }: { term: string; value: string }) => (
  <div>
    <dt className="text-small text-fg-3">{term}</dt>
    <dd className="text-title font-semibold tabular-nums">{value}</dd>
  </div>
);
