import type { MemoryFilter } from '@contract/commands/memories';
import { optional } from '@contract/shared/optional';
import { ListFilter } from 'lucide-react';
import { useT } from '../../i18n';
import { useApp } from '../../link';
import { Badge, IconButton, Menu, type MenuItem } from '../../ui';

/** Days back, by the name of the option. */
const TIMES = { day: 1, week: 7, month: 30 } as const;
/** How many threads are offered, the last used first. */
const THREADS = 12;

export type Since = keyof typeof TIMES;
export interface Filters extends Omit<MemoryFilter, 'query' | 'since'> {
  since?: Since;
}

/**
 * The filter for the main process. Times are from the start of the person's local day, so that the query stays the same for a
 * while.
 */
export function filterOf({ since, ...rest }: Filters, query: string): MemoryFilter {
  const from = since === undefined ? undefined : startOfDay(TIMES[since] - 1);
  return {
    ...rest,
    ...optional({ since: from }),
    ...(query === '' ? {} : { query }),
  };
}

/** The start of the day `daysAgo` days back, in milliseconds. A day on which the clocks change is not 24 hours long. */
function startOfDay(daysAgo: number): number {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime();
}

interface FiltersProps {
  filters: Filters;
  onChange(filters: Filters): void;
}

/** Chooses what is listed: for what, who wrote it, where and when. */
export const FilterMenu = ({ filters, hasProject, onChange }: FiltersProps & { hasProject: boolean }) => {
  const t = useT();
  const projects = useApp((app) => app.projects);
  const threads = useApp((app) => app.threads);
  const choice = <K extends keyof Filters>(
    name: K,
    value: NonNullable<Filters[K]>,
    label: string,
  ): MenuItem => ({
    label,
    checked: filters[name] === value,
    onSelect: () => {
      const { [name]: was, ...rest } = filters;
      onChange(was === value ? rest : { ...rest, [name]: value });
    },
  });
  // A thread without a name is empty, so it wrote nothing.
  const recent = threads
    .filter(({ title }) => title !== '')
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, THREADS);
  return (
    <Menu
      align="end"
      trigger={<IconButton label={t('memories.filter')} icon={<ListFilter size={16} />} />}
      items={[
        ...(hasProject
          ? [
              { heading: t('memories.scope') },
              choice('scope', 'project', t('memories.thisProject')),
              choice('scope', 'everywhere', t('memories.everywhere')),
            ]
          : []),
        { heading: t('memories.writtenBy') },
        choice('by', 'person', t('memories.byPerson')),
        choice('by', 'agent', t('memories.byAgent')),
        choice('by', 'unverified', t('memories.unverified')),
        { heading: t('memories.changed') },
        choice('since', 'day', t('memories.sinceDay')),
        choice('since', 'week', t('memories.sinceWeek')),
        choice('since', 'month', t('memories.sinceMonth')),
        ...(projects.length === 0 ? [] : [{ heading: t('memories.inProject') }]),
        ...projects.map((project) => choice('projectId', project.id, project.name)),
        ...(recent.length === 0 ? [] : [{ heading: t('memories.inThread') }]),
        ...recent.map((thread) => choice('threadId', thread.id, thread.title)),
      ]}
    />
  );
};

/** The active filters, each with a button to remove it. */
export const ChosenFilters = ({ filters, onChange }: FiltersProps) => {
  const t = useT();
  const project = useApp((app) => app.projects.find(({ id }) => id === filters.projectId)?.name);
  const thread = useApp((app) => app.threads.find(({ id }) => id === filters.threadId)?.title);
  const { scope, by, since, projectId, threadId } = filters;
  const words: [keyof Filters, string][] = [
    ...(scope === undefined
      ? []
      : ([['scope', t(scope === 'project' ? 'memories.thisProject' : 'memories.everywhere')]] as [
          keyof Filters,
          string,
        ][])),
    ...(by === undefined
      ? []
      : ([
          [
            'by',
            t(
              by === 'person'
                ? 'memories.byPerson'
                : by === 'agent'
                  ? 'memories.byAgent'
                  : 'memories.unverified',
            ),
          ],
        ] as [keyof Filters, string][])),
    ...(since === undefined
      ? []
      : ([
          [
            'since',
            t(
              since === 'day'
                ? 'memories.sinceDay'
                : since === 'week'
                  ? 'memories.sinceWeek'
                  : 'memories.sinceMonth',
            ),
          ],
        ] as [keyof Filters, string][])),
    ...(projectId === undefined ? [] : ([['projectId', project ?? '']] as [keyof Filters, string][])),
    ...(threadId === undefined ? [] : ([['threadId', thread ?? '']] as [keyof Filters, string][])),
  ];
  if (words.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-1 px-2 pt-1.5">
      {words.map(([name, label]) => (
        <button
          key={name}
          type="button"
          className="max-w-full min-w-0 rounded-control"
          aria-label={t('memories.removeFilter', { name: label })}
          onClick={() => {
            const { [name]: _gone, ...rest } = filters;
            onChange(rest);
          }}
        >
          <Badge tone="accent">
            <span className="max-w-48 truncate">{label}</span>
            <span aria-hidden>×</span>
          </Badge>
        </button>
      ))}
    </div>
  );
};
