import type { Output } from '@contract/commands';
import type { Budgets, ClearablePart, DataCounts, DataPart } from '@contract/commands/data';
import { DATA_PARTS } from '@contract/data-parts';
import type { ErrorInWords } from '@contract/result';
import { optional } from '@contract/shared/optional';
import { FolderOpen, RefreshCw } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { call, useApp, useOfferUndo } from '../../link';
import { Button, ErrorNote, Field, LoadFailed, Select } from '../../ui';
import { Backup, Restore, Wipe } from './data-copies';
import { Heading } from './heading';

type Data = Output<'data.read'>;

/** The data on this computer: disk usage, limits, backups and deletion. */
export const DataSection = () => {
  const t = useT();
  const folder = useApp((app) => app.dataFolder);
  const [data, setData] = useState<Data>();
  const [error, setError] = useState<ErrorInWords>();
  const [busy, setBusy] = useState(true);
  const read = useCallback(async (signal?: AbortSignal) => {
    setBusy(true);
    const result = await call('data.read', {}, signal);
    if (signal?.aborted) return;
    setBusy(false);
    setError(result.ok ? undefined : result.error);
    if (result.ok) setData(result.value);
  }, []);
  useEffect(() => {
    const leaving = new AbortController();
    void read(leaving.signal);
    return () => leaving.abort();
  }, [read]);
  return (
    <div className="flex flex-col gap-6">
      {error !== undefined && <LoadFailed error={error} onRetry={() => void read()} />}
      <section className="flex flex-col gap-2">
        <Heading title={t('data.sizes')} hint={t('settings.dataIn', { folder })} />
        <Sizes data={data} onCleared={() => void read()} />
        <div className="flex flex-wrap gap-2">
          <Button size="sm" icon={<FolderOpen size={14} />} onClick={() => void call('data.open', {})}>
            {t('data.openFolder')}
          </Button>
          <Button
            size="sm"
            busy={busy && data !== undefined}
            icon={<RefreshCw size={14} />}
            onClick={() => void read()}
          >
            {t('data.measureAgain')}
          </Button>
        </div>
      </section>
      <BudgetForm
        budgets={data?.budgets}
        onChanged={(budgets) => setData((now) => now && { ...now, budgets })}
      />
      <Backup />
      <Restore />
      <Wipe />
    </div>
  );
};

/** Parts that belong to the database. */
const WITHIN: ReadonlySet<DataPart> = new Set(['terminals', 'memories']);

const CLEARABLE: ReadonlySet<DataPart> = new Set<ClearablePart>(['terminals', 'offloads', 'attachments']);
const isClearable = (part: DataPart): part is ClearablePart => CLEARABLE.has(part);

/** In place of a size that is being measured. The rows are there already, so that nothing moves below a pointer. */
const UNKNOWN = '…';

const Sizes = ({ data, onCleared }: { data: Data | undefined; onCleared(): void }) => {
  const t = useT();
  const [clearing, setClearing] = useState<ClearablePart>();
  const formats = useFormats();
  const sizes = data?.sizes;
  const whole = DATA_PARTS.filter((part) => !WITHIN.has(part));
  const total = sizes && whole.reduce((sum, part) => sum + sizes[part], 0);
  const shown = (bytes: number | undefined) => (bytes === undefined ? UNKNOWN : formats.bytes(bytes));
  return (
    <>
      <table className="w-full" aria-busy={data === undefined}>
        <caption className="sr-only">{t('data.sizes')}</caption>
        <tbody>
          {DATA_PARTS.map((part) => (
            <tr key={part} className="h-8 border-b border-line">
              <th
                scope="row"
                className={`py-1 text-left font-normal ${WITHIN.has(part) ? 'pl-5 text-small text-fg-3' : ''}`}
              >
                {t(`data.${part}`)}
                {part === 'database' && (
                  <span className="ml-2 text-small text-fg-3">{t('data.databaseHint')}</span>
                )}
              </th>
              <td
                className={`py-1 pl-2 text-right whitespace-nowrap tabular-nums ${WITHIN.has(part) ? 'text-small text-fg-3' : ''}`}
              >
                {shown(sizes?.[part])}
              </td>
              <td className="w-px py-1 pl-2 text-right">
                {isClearable(part) && (
                  <Button
                    size="sm"
                    variant="ghost"
                    disabled={!sizes?.[part]}
                    aria-label={t('data.clearOf', {
                      part: t(part === 'terminals' ? 'data.terminalOutput' : `data.${part}`),
                    })}
                    onClick={() => setClearing(part)}
                  >
                    {t('data.clearPart')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
          <tr className="h-8">
            <th scope="row" className="py-1 text-left font-medium">
              {t('data.total')}
            </th>
            <td className="py-1 pl-2 text-right font-medium whitespace-nowrap tabular-nums">
              {shown(total)}
            </td>
            <td />
          </tr>
        </tbody>
      </table>
      {clearing !== undefined && (
        <Clear
          key={clearing}
          part={clearing}
          onDone={(isCleared) => {
            setClearing(undefined);
            if (isCleared) onCleared();
          }}
        />
      )}
      <p className="text-small text-fg-3">
        {data === undefined ? UNKNOWN : t('data.counts', countsFor(data.counts))}
      </p>
    </>
  );
};

/** Asks for confirmation, because clearing cannot be undone. */
const Clear = ({ part, onDone }: { part: ClearablePart; onDone(isCleared: boolean): void }) => {
  const t = useT();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const clear = async () => {
    setBusy(true);
    const result = await call('data.clear', { part });
    setBusy(false);
    setError(result.ok ? undefined : result.error.message);
    if (result.ok) onDone(true);
  };
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-card border border-deny/35 p-3">
      {error !== undefined && <ErrorNote message={error} />}
      <p>{t(`data.clear_${part}`)}</p>
      <p className="text-fg-2">{t('data.clearStays')}</p>
      <div className="flex gap-2">
        <Button variant="ghost" onClick={() => onDone(false)}>
          {t('data.cancel')}
        </Button>
        <Button variant="danger" busy={busy} onClick={() => void clear()}>
          {t('data.clearNow')}
        </Button>
      </div>
    </div>
  );
};

/** The values for a sentence about a database. */
const countsFor = ({ projects, threads, messages, memories }: DataCounts) => ({
  projects,
  threads,
  messages,
  memories,
});

const MB = 1024 ** 2;
const GB = 1024 ** 3;
const CHOICES = {
  versions: [256 * MB, 512 * MB, GB, 2 * GB, 5 * GB, 10 * GB, 50 * GB],
  memories: [16 * MB, 64 * MB, 128 * MB, 256 * MB],
  deletedDays: [1, 7, 14, 30, 90, 365],
} as const;
const USUAL: Budgets = { versions: 2 * GB, memories: 256 * MB, deletedDays: 30 };

interface BudgetFormProps {
  /** Undefined until they are known. */
  budgets: Budgets | undefined;
  onChanged(budgets: Budgets): void;
}

const BudgetForm = ({ budgets, onChanged }: BudgetFormProps) => {
  const t = useT();
  const formats = useFormats();
  const [error, setError] = useState<string>();
  const offerUndo = useOfferUndo();
  const set = async (changes: Partial<Budgets>) => {
    const result = await call('data.setBudgets', changes);
    setError(result.ok ? undefined : result.error.message);
    if (result.ok) onChanged(result.value);
    return result.ok;
  };
  const change = async (which: keyof Budgets, value: number, label: string) => {
    const before = { [which]: budgets?.[which] };
    if (await set({ [which]: value })) offerUndo({ setting: label, undo: () => set(before) });
  };
  const choice = (which: keyof Budgets, label: string, hint?: string) => {
    const now = budgets?.[which];
    const values = [...new Set([...CHOICES[which], ...(now === undefined ? [] : [now])])].toSorted(
      (a, b) => a - b,
    );
    const words = (value: number) =>
      which === 'deletedDays'
        ? t('data.daysLong', { count: value })
        : `${formats.number(value >= GB ? value / GB : value / MB)} ${value >= GB ? 'GB' : 'MB'}`;
    return (
      <div className="flex items-end gap-2">
        <div className="w-72">
          <Field label={label} {...optional({ hint })}>
            {(ids) => (
              <Select
                {...ids}
                disabled={now === undefined}
                value={`${now ?? ''}`}
                options={[
                  ...(now === undefined ? [{ value: '', label: UNKNOWN }] : []),
                  ...values.map((value) => ({ value: `${value}`, label: words(value) })),
                ]}
                onChange={(event) => void change(which, Number(event.target.value), label)}
              />
            )}
          </Field>
        </div>
        {now !== undefined && now !== USUAL[which] && (
          <Button
            size="sm"
            variant="ghost"
            aria-label={t('data.resetOf', { setting: label })}
            onClick={() => void change(which, USUAL[which], label)}
          >
            {t('data.resetTo')}
          </Button>
        )}
      </div>
    );
  };
  return (
    <section className="flex flex-col gap-3">
      <h3 className="text-title font-semibold">{t('data.budgets')}</h3>
      {error !== undefined && <ErrorNote message={error} />}
      {choice('versions', t('data.budgetVersions'), t('data.budgetVersionsHint'))}
      {choice('memories', t('data.budgetMemories'), t('data.budgetMemoriesHint'))}
      {choice('deletedDays', t('data.deletedDays'))}
    </section>
  );
};
