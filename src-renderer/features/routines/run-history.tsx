import type { RoutineInfo, RoutineRunInfo } from '@contract/routines';
import { useErrorWords, useFormats, useT } from '../../i18n';
import { openThread, revert } from '../../link';
import { Badge, Button, type Tone } from '../../ui';
import { useTimes } from './times';

const TONES: Record<RoutineRunInfo['status'], Tone> = {
  running: 'accent',
  waiting: 'ask',
  finished: 'ok',
  failed: 'deny',
  interrupted: 'ask',
  skipped: 'neutral',
  deleted: 'neutral',
};

/** The last runs of a routine: state, cost and changes. */
export const RunHistory = ({ routine, onShown }: { routine: RoutineInfo; onShown(): void }) => {
  const t = useT();
  return (
    <section aria-label={t('routines.history')} className="flex flex-col">
      <h5 className="text-small font-medium text-fg-3">{t('routines.history')}</h5>
      {routine.runs.length === 0 && <p className="text-small text-fg-3">{t('routines.noRuns')}</p>}
      <ul className="flex flex-col">
        {routine.runs.map((run) => (
          <RunRow key={run.id} routine={routine} run={run} onShown={onShown} />
        ))}
      </ul>
    </section>
  );
};

interface RunRowProps {
  routine: RoutineInfo;
  run: RoutineRunInfo;
  onShown(): void;
}

const RunRow = ({ routine, run, onShown }: RunRowProps) => {
  const t = useT();
  const times = useTimes();
  const errorWords = useErrorWords();
  const { threadId, status, error } = run;
  const time = times(run.at, routine);
  const words = error === null ? null : errorWords(error);
  return (
    <li className="flex min-h-8 flex-wrap items-center gap-x-2 gap-y-0.5 border-t border-line py-1 text-small first:border-t-0">
      {threadId === null || status === 'deleted' ? (
        <span>{time}</span>
      ) : (
        <button
          type="button"
          className="rounded-control text-accent hover:underline"
          aria-label={t('routines.openRun', { time })}
          onClick={() => {
            openThread(threadId);
            onShown();
          }}
        >
          {time}
        </button>
      )}
      <Badge tone={TONES[status]}>{t(`routines.status_${status}`)}</Badge>
      <RunFacts run={run} />
      <span className="grow" />
      {threadId !== null && run.changedFiles > 0 && status !== 'running' && (
        <Button size="sm" onClick={() => revert(threadId, { kind: 'thread' })}>
          {t('routines.undoRun')}
        </Button>
      )}
      {words !== null && <p className="w-full text-fg-2">{words.message}</p>}
    </li>
  );
};

const RunFacts = ({ run }: { run: RoutineRunInfo }) => {
  const t = useT();
  const formats = useFormats();
  const { trigger, isRecording, costMicroDollars, tokens, changedFiles, isUndone, times } = run;
  const facts = [
    isRecording
      ? t('routines.recorded')
      : t(
          trigger === 'person'
            ? 'routines.byPerson'
            : trigger === 'missed'
              ? 'routines.afterMiss'
              : 'routines.bySchedule',
        ),
    ...(times > 1 ? [t('routines.skippedTimes', { count: times })] : []),
    ...(costMicroDollars === undefined || costMicroDollars === 0 ? [] : [formats.money(costMicroDollars)]),
    ...(tokens === 0 ? [] : [t('routines.tokensUsed', { count: tokens })]),
    ...(changedFiles === 0 ? [] : [t('routines.files', { count: changedFiles })]),
    ...(isUndone ? [t('routines.undone')] : []),
  ];
  return <span className="min-w-0 text-fg-3">{facts.join(' · ')}</span>;
};
