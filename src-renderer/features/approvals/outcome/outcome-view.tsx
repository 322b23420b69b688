import type { Approval } from '@contract/approvals';
import type { Outcome } from '@contract/outcome';
import { Box, GitBranch } from 'lucide-react';
import { type Key, listed, type Translate, useFormats, useT } from '../../../i18n';
import { cx, ExactText } from '../../../ui';
import { OutcomeRows } from './outcome-rows';
import type { OutcomeSelection } from './outcome-selection';

interface OutcomeViewProps {
  approval: Approval;
  outcome: Outcome;
  selection: OutcomeSelection;
}

const limits = {
  time: 'outcome.limitTime',
  bytes: 'outcome.limitBytes',
  files: 'outcome.limitFiles',
  processes: 'outcome.limitProcesses',
  memory: 'outcome.limitMemory',
} as const;

/** What a command did in its throwaway layer: its exit, its refusals, its output and its changes. */
export const OutcomeView = ({ approval, outcome, selection }: OutcomeViewProps) => {
  const { git = [], rows } = outcome;
  return (
    <div>
      <Ended outcome={outcome} />
      <RefusedList refused={outcome.refused} />
      <Output outcome={outcome} />
      {git.map((one) => (
        <GitRow key={one.path} git={one} selection={selection} alone={git.length === 1} />
      ))}
      {rows.length > 0 && <OutcomeRows approval={approval} outcome={outcome} selection={selection} />}
    </div>
  );
};

const Ended = ({ outcome: { exitCode, durationMs, limit } }: { outcome: Outcome }) => {
  const t = useT();
  const formats = useFormats();
  return (
    <p className="flex flex-wrap gap-x-3 border-t border-line bg-sunken px-3 py-1 text-small text-fg-2 tabular-nums">
      <span className={cx(exitCode !== 0 && 'text-deny')}>
        {exitCode === null ? t('outcome.noExit') : t('outcome.exit', { code: exitCode })}
      </span>
      <span>{t('outcome.took', { time: formats.duration(durationMs) })}</span>
      {limit !== undefined && <span className="text-ask-text">{t(limits[limit])}</span>}
    </p>
  );
};

const refusals = {
  write: ['sandbox.refusedWrite', 'sandbox.somewhere'],
  read: ['sandbox.refusedRead', 'sandbox.something'],
  network: ['sandbox.refusedNetwork', 'sandbox.anyHost'],
  permission: ['sandbox.refusedPermission', 'sandbox.somePermission'],
} as const satisfies Record<string, readonly [Key, Key]>;

const RefusedList = ({ refused }: Pick<Outcome, 'refused'>) => {
  const t = useT();
  if (refused.length === 0) return null;
  return (
    <div className="flex items-start gap-2 border-t border-line px-3 py-1.5 text-small">
      <Box aria-hidden size={14} className="mt-0.5 shrink-0 text-ask-text" />
      <div className="min-w-0">
        <p className="text-fg-2">{t('outcome.refused')}</p>
        <ul>
          {refused.map(({ what, name, via }) => (
            <li key={`${what} ${name}`} className="wrap-anywhere">
              {t(refusals[what][0], { name: name === '' ? t(refusals[what][1]) : '' })}
              {name !== '' && (
                <code className="font-mono">
                  <ExactText text={name} oneLine strict />
                </code>
              )}
              {via !== undefined && `, ${t('sandbox.refusedVia', { host: via })}`}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
};

/** The end of the output, expanded if the command failed and collapsed otherwise. */
const Output = ({ outcome: { output, exitCode } }: { outcome: Outcome }) => {
  const t = useT();
  if (output.trim() === '')
    return <p className="border-t border-line px-3 py-1 text-small text-fg-3">{t('outcome.noOutput')}</p>;
  return (
    <details open={exitCode !== 0} className="border-t border-line px-3 py-1 text-small">
      <summary className="text-fg-2">{t('outcome.output')}</summary>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
        tabIndex={0}
        className="mt-1 max-h-48 overflow-auto bg-sunken px-2 py-1 font-mono text-code wrap-anywhere whitespace-pre-wrap -outline-offset-2"
      >
        <ExactText text={output} />
      </pre>
    </details>
  );
};

type Git = NonNullable<Outcome['git']>[number];

const branchKeys = {
  created: 'outcome.gitBranchCreated',
  deleted: 'outcome.gitBranchDeleted',
  moved: 'outcome.gitBranchMoved',
} as const;

/** Describes a change of a `.git`. */
function gitWords(fact: Git['facts'][number], t: Translate): string {
  switch (fact.what) {
    case 'created':
      return t('outcome.gitCreated');
    case 'deleted':
      return t('outcome.gitDeleted');
    case 'commits':
      return t('outcome.gitCommits', { count: fact.count, branch: fact.branch });
    case 'switched':
      return t('outcome.gitSwitched', { branch: fact.branch });
    case 'branch':
      return t(branchKeys[fact.change], { branch: fact.branch });
    case 'tags':
      return t('outcome.gitTags', { count: fact.count });
    case 'staged':
      return t('outcome.gitStaged', { count: fact.count });
    case 'stash':
      return t('outcome.gitStash');
    case 'config':
      return t('outcome.gitConfig');
    case 'hooks':
      return t('outcome.gitHooks', { names: listed(t, fact.names) });
    case 'obeyed':
      return t('outcome.gitObeyed', { count: fact.count, names: listed(t, fact.names) });
    case 'files':
      return t('outcome.gitFiles', { count: fact.count });
    default:
      return fact satisfies never;
  }
}

/** Facts that the person must not overlook. */
const GRAVE: readonly string[] = ['deleted', 'hooks', 'config', 'obeyed'];

const GitRow = ({ git, selection, alone }: { git: Git; selection: OutcomeSelection; alone: boolean }) => {
  const t = useT();
  const name = alone ? t('outcome.git') : t('outcome.gitIn', { path: git.path });
  return (
    <div className="flex items-start gap-2 border-t border-line px-3 py-1.5">
      <input
        type="checkbox"
        className="mt-1"
        aria-label={t('outcome.keepRow', { path: git.path })}
        disabled={git.conflict === true}
        checked={selection.has(git.path)}
        onChange={() => selection.toggle(git.path)}
      />
      <GitBranch aria-hidden size={16} className="mt-0.5 shrink-0 text-fg-3" />
      <span className="shrink-0 font-medium">{name}</span>
      <ul aria-label={name} className="min-w-0">
        {git.facts.map((fact) => (
          <li
            key={JSON.stringify(fact)}
            className={cx('break-words', GRAVE.includes(fact.what) ? 'text-deny' : 'text-fg-2')}
          >
            <ExactText text={gitWords(fact, t)} />
          </li>
        ))}
        {git.conflict === true && <li className="text-ask-text">{t('outcome.gitConflict')}</li>}
      </ul>
    </div>
  );
};
