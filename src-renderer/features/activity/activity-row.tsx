import type { ActivityEntry } from '@contract/activity';
import type { Rule } from '@contract/control';
import { ruleText } from '@contract/rule-text';
import type { ToolDisplay } from '@contract/shared/tool-display';
import { MessageSquareText, ShieldX, Undo2 } from 'lucide-react';
import { useFormats, useReasons, useT } from '../../i18n';
import { call, openThread, toast, useApp } from '../../link';
import { Badge, Button, cx, ExactText, IconButton } from '../../ui';

interface ActivityRowProps {
  entry: ActivityEntry;
  open: boolean;
  now: number;
  onToggle(): void;
  /** Undoes what the call changed in the folder; resolves after the attempt. */
  onUndo(entry: ActivityEntry): Promise<void>;
  /** The list is out of date. */
  onChanged(): void;
  onLeave(): void;
}

const verbs = {
  command: 'tools.run',
  write: 'tools.write',
  edit: 'tools.edit',
  delete: 'tools.delete',
  read: 'tools.read',
  list: 'tools.list',
  search: 'tools.find',
  match: 'tools.match',
} as const;

const isKnown = (display: ToolDisplay | undefined): display is keyof typeof verbs =>
  display !== undefined && Object.hasOwn(verbs, display);

const hasFailed = ({ status, exitCode }: ActivityEntry): boolean =>
  status === 'failed' || (typeof exitCode === 'number' && exitCode !== 0);

/** One auto-approved call: what ran, why, with what result, and the two ways to respond. */
export const ActivityRow = ({ entry, open, now, onToggle, onUndo, onChanged, onLeave }: ActivityRowProps) => {
  const t = useT();
  const reasons = useReasons();
  const formats = useFormats();
  const rule = useApp((app) => app.rules.find((one) => one.id === entry.ruleId));
  const project = useApp((app) => app.projects.find((one) => one.id === entry.projectId));
  const mount = project?.mount ?? '';
  // Another computer is connected to again for the undo.
  const isGone = project === undefined || (project.missing && project.remote === undefined);
  const { memory, files, undone } = entry;
  const about =
    mount !== '' && entry.about.startsWith(`${mount}/`) ? entry.about.slice(mount.length + 1) : entry.about;

  const undoMemory = async () => {
    const result = await call('memories.undo', { threadId: entry.threadId, callId: entry.callId });
    toast(result.ok ? t('activity.memoryUndone', { path: memory?.path ?? '' }) : result.error.message);
    onChanged();
  };
  const canUndoMemory = memory !== undefined && !memory.undone;
  const canUndo = files > 0 && !undone && !isGone;
  const undoLabel = canUndoMemory
    ? t('activity.undoMemory', { path: memory.path })
    : files > 0
      ? t(isGone ? 'sidebar.folderMissing' : 'activity.undo')
      : t('activity.nothingToUndo');

  return (
    <li className={cx('list-none border-b border-line', open && 'bg-sunken')}>
      <div className="flex min-h-7 items-center gap-1 pr-1 hover:bg-hover">
        <button
          type="button"
          data-row
          aria-expanded={open}
          onClick={onToggle}
          className="flex min-h-7 min-w-0 grow items-baseline gap-2 py-1 pl-2 text-left -outline-offset-2"
        >
          <span
            className="w-20 shrink-0 truncate text-small text-fg-3 tabular-nums"
            title={formats.moment(entry.at)}
          >
            {formats.ago(entry.at, now)}
          </span>
          <span className="shrink-0 text-fg-2">
            {isKnown(entry.display) ? t(verbs[entry.display]) : entry.tool}
          </span>
          <code className="min-w-0 grow basis-1/2 truncate font-mono text-code">
            <ExactText
              text={about.slice(0, 300).replaceAll(/\s+/g, ' ')}
              strict={entry.display === 'command'}
            />
          </code>
          <span
            className="min-w-0 shrink-3 basis-1/3 truncate text-small text-fg-3"
            title={reasons.sentences(entry.reason)}
          >
            {reasons.sentences(entry.reason)}
          </span>
          <Outcome entry={entry} />
        </button>
        <IconButton
          size="sm"
          disabled={!canUndo && !canUndoMemory}
          label={undoLabel}
          icon={<Undo2 size={14} />}
          onClick={() => void (canUndoMemory ? undoMemory() : onUndo(entry).then(onChanged))}
        />
        <Revoke rule={rule} />
      </div>
      {open && (
        <Details
          entry={entry}
          about={about}
          ruleGone={entry.ruleId !== undefined && !rule}
          onLeave={onLeave}
        />
      )}
    </li>
  );
};

const Outcome = ({ entry }: { entry: ActivityEntry }) => {
  const t = useT();
  const { memory, files, undone, status, exitCode } = entry;
  return (
    <span className="flex shrink-0 items-center gap-1">
      {status === 'running' && <Badge tone="accent">{t('activity.running')}</Badge>}
      {status === 'cancelled' && <Badge tone="ask">{t('activity.cancelled')}</Badge>}
      {hasFailed(entry) && (
        <Badge tone="deny">
          {typeof exitCode === 'number' ? t('activity.exit', { code: exitCode }) : t('activity.failed')}
        </Badge>
      )}
      {undone || memory?.undone === true ? (
        <Badge>{t('activity.undone')}</Badge>
      ) : (
        files > 0 && <Badge>{t('activity.files', { count: files })}</Badge>
      )}
    </span>
  );
};

const Revoke = ({ rule }: { rule: Rule | undefined }) => {
  const t = useT();
  if (rule === undefined) return <span aria-hidden className="size-6 shrink-0" />;
  const text = ruleText(rule.match);
  const revoke = async () => {
    const result = await call('rules.remove', { id: rule.id });
    toast(result.ok ? t('activity.revoked', { rule: text }) : result.error.message);
  };
  return (
    <IconButton
      size="sm"
      label={t('activity.revoke', { rule: text })}
      icon={<ShieldX size={14} />}
      onClick={() => void revoke()}
    />
  );
};

/** UTF-16 units that are sure to fit in the row. */
const SHORT = 40;

interface DetailsProps {
  entry: ActivityEntry;
  about: string;
  ruleGone: boolean;
  onLeave(): void;
}

const Details = ({ entry, about, ruleGone, onLeave }: DetailsProps) => {
  const t = useT();
  const reasons = useReasons();
  const formats = useFormats();
  const project = useApp((app) => app.projects.find((one) => one.id === entry.projectId)?.name ?? '?');
  const facts = [
    t('activity.where', { project, thread: entry.title || t('sidebar.untitled') }),
    ...(entry.agent === undefined ? [] : [t('activity.subAgent', { agent: entry.agent })]),
    t('activity.mode', { mode: t(`modes.${entry.mode}`) }),
    ...(entry.durationMs === undefined
      ? []
      : [t('activity.took', { duration: formats.duration(entry.durationMs) })]),
    ...(entry.stepCostMicroDollars === undefined || entry.stepCostMicroDollars === 0
      ? []
      : [t('activity.stepCost', { cost: formats.money(entry.stepCostMicroDollars) })]),
  ];
  return (
    <div className="flex flex-col gap-1.5 px-2 pb-2 pl-25 text-small">
      {(about.length > SHORT || about.includes('\n')) && (
        <pre className="max-h-32 overflow-auto font-mono wrap-anywhere whitespace-pre-wrap selectable">
          <ExactText text={about} strict={entry.display === 'command'} />
        </pre>
      )}
      <p className="text-fg-2">
        {reasons.sentences(entry.reason)} {ruleGone && t('activity.ruleGone')}
      </p>
      <p className="flex flex-wrap gap-x-2 text-fg-3">
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {entry.result !== undefined && entry.result !== '' && (
        <figure className="flex flex-col gap-0.5">
          <figcaption className="text-fg-3">{t('activity.result')}</figcaption>
          <pre className="max-h-32 overflow-auto rounded-control border border-line bg-bg px-2 py-1 font-mono whitespace-pre-wrap selectable">
            {entry.result}
          </pre>
        </figure>
      )}
      {entry.files === 0 && entry.outside && entry.memory === undefined && (
        <p className="text-fg-3">{t('activity.noFiles')}</p>
      )}
      <Button
        size="sm"
        variant="ghost"
        className="self-start"
        icon={<MessageSquareText size={14} />}
        onClick={() => {
          onLeave();
          openThread(entry.threadId);
        }}
      >
        {t('activity.showThread')}
      </Button>
    </div>
  );
};
