import type { ActivityEntry } from '@contract/activity';
import { ruleText } from '@contract/rule-text';
import { Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useT } from '../../i18n';
import { type ActivityPlace, useApp } from '../../link';
import {
  Button,
  Dialog,
  EmptyState,
  Input,
  LoadFailed,
  moveAmong,
  Select,
  Skeleton,
  useNow,
  VirtualList,
} from '../../ui';
import { ActivityRow } from './activity-row';
import { useActivity } from './use-activity';

interface ActivityDialogProps {
  /** The initial filter; null keeps the dialog closed. */
  place: ActivityPlace | null;
  onClose(): void;
  /** Undoes what a call changed in the folder; resolves after the attempt. */
  onUndo(entry: ActivityEntry): Promise<void>;
}

/** Everything that ran without asking, with the rule or mode that allowed it. */
export const ActivityDialog = ({ place, onClose, onUndo }: ActivityDialogProps) => {
  const t = useT();
  return (
    <Dialog
      open={place !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('activity.title')}
      description={t('activity.about')}
      size="wide"
    >
      {place !== null && <Ledger place={place} onUndo={onUndo} onClose={onClose} />}
    </Dialog>
  );
};

/** Height of a collapsed row in pixels. */
const ROW = 29;
const ALL = '';

interface LedgerProps {
  place: ActivityPlace;
  onUndo(entry: ActivityEntry): Promise<void>;
  onClose(): void;
}

type Where = Pick<ActivityPlace, 'projectId' | 'threadId'>;

interface FiltersProps {
  place: ActivityPlace;
  query: string;
  setQuery(query: string): void;
  where: Where;
  setWhere(where: Where): void;
  ruleId: ActivityPlace['ruleId'];
  setRuleId(ruleId: ActivityPlace['ruleId']): void;
  looks: boolean;
  setLooks(looks: boolean): void;
}

/** What the list shows: by text, place and rule. */
const Filters = ({
  place,
  query,
  setQuery,
  where,
  setWhere,
  ruleId,
  setRuleId,
  looks,
  setLooks,
}: FiltersProps) => {
  const t = useT();
  const projects = useApp((app) => app.projects);
  const rules = useApp((app) => app.rules);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Input
        type="search"
        className="w-52"
        icon={<Search size={14} />}
        aria-label={t('activity.search')}
        placeholder={t('activity.search')}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <span className="w-40">
        <Select
          aria-label={t('activity.place')}
          value={where.threadId !== null ? 'thread' : (where.projectId ?? ALL)}
          options={[
            ...(place.threadId === null ? [] : [{ value: 'thread', label: t('activity.inThread') }]),
            { value: ALL, label: t('activity.everywhere') },
            ...projects.map((project) => ({ value: project.id, label: project.name })),
          ]}
          onChange={({ target: { value } }) => {
            if (value === 'thread') setWhere({ projectId: null, threadId: place.threadId });
            else
              setWhere({
                projectId: projects.find((project) => project.id === value)?.id ?? null,
                threadId: null,
              });
          }}
        />
      </span>
      {(rules.length > 0 || ruleId !== null) && (
        <span className="w-44">
          <Select
            aria-label={t('activity.rule')}
            value={ruleId ?? ALL}
            options={[
              { value: ALL, label: t('activity.anyReason') },
              ...rules.map((rule) => ({ value: rule.id, label: ruleText(rule.match) })),
            ]}
            onChange={({ target: { value } }) => setRuleId(value === ALL ? null : value)}
          />
        </span>
      )}
      <label className="flex items-center gap-1.5 text-fg-2">
        <input type="checkbox" checked={looks} onChange={(event) => setLooks(event.target.checked)} />
        {t('activity.looks')}
      </label>
    </div>
  );
};

const Ledger = ({ place, onUndo, onClose }: LedgerProps) => {
  const t = useT();
  const [where, setWhere] = useState<Where>({ projectId: place.projectId, threadId: place.threadId });
  const [ruleId, setRuleId] = useState(place.ruleId);
  const [query, setQuery] = useState('');
  const [looks, setLooks] = useState(false);
  const [open, setOpen] = useState<number>();
  const now = useNow();
  const sought = useDeferredValue(query);
  const { entries, hasMore, error, more, reload } = useActivity({ ...where, ruleId, query: sought, looks });
  const isNarrow = ruleId !== null || sought.trim() !== '';

  return (
    <div className="flex h-full min-h-0 flex-col gap-2">
      <Filters place={place} {...{ query, setQuery, where, setWhere, ruleId, setRuleId, looks, setLooks }} />
      {error && <LoadFailed error={error} onRetry={reload} />}
      {entries === undefined && !error && <Skeleton lines={6} />}
      {entries?.length === 0 && (
        <EmptyState>{t(isNarrow ? 'activity.noMatch' : 'activity.empty')}</EmptyState>
      )}
      {entries !== undefined && entries.length > 0 && (
        <div className="min-h-0 grow border-t border-line">
          <VirtualList
            items={entries}
            itemKey={(entry) => String(entry.id)}
            rowHeight={ROW}
            measured
            role="list"
            aria-label={t('activity.list')}
            onKeyDown={(event) => moveAmong(event, '[data-row]')}
          >
            {(entry) => (
              <ActivityRow
                entry={entry}
                open={entry.id === open}
                now={now}
                onToggle={() => setOpen(entry.id === open ? undefined : entry.id)}
                onUndo={onUndo}
                onChanged={reload}
                onLeave={onClose}
              />
            )}
          </VirtualList>
        </div>
      )}
      {hasMore && (
        <Button variant="ghost" className="shrink-0 self-center" onClick={more}>
          {t('activity.earlier')}
        </Button>
      )}
    </div>
  );
};
