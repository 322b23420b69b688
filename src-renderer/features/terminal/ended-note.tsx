import type { TerminalInfo } from '@contract/app';
import { useFormats, useT } from '../../i18n';
import { Button } from '../../ui';
import { durationOf, type Standing, standingOf } from './status';

const ended: Record<
  Exclude<Standing, 'running' | 'done'>,
  'endedFailed' | 'endedTimedOut' | 'endedStopped' | 'endedLost'
> = {
  failed: 'endedFailed',
  timedOut: 'endedTimedOut',
  stopped: 'endedStopped',
  lost: 'endedLost',
};

/** The status of `ssh` itself, which prints nothing when the connection of a shell breaks. */
const CUT = 255;

/** Says what the person can do here: type into a running program, or only read the output of an ended one. */
export const EndedNote = ({ terminal, onRestart }: { terminal: TerminalInfo; onRestart(): void }) => {
  const t = useT();
  const formats = useFormats();
  const standing = standingOf(terminal);
  if (standing === 'running' && terminal.kind === 'person') return null;
  const duration = formats.duration(durationOf(terminal, terminal.endedAt ?? terminal.startedAt));
  const said =
    standing === 'running'
      ? t('terminal.typeHint')
      : standing === 'done'
        ? t(terminal.exitCode === 0 ? 'terminal.endedDone' : 'terminal.endedUnknown', { duration })
        : t(`terminal.${ended[standing]}`, { duration, code: String(terminal.exitCode) });
  const { kind, machine, exitCode } = terminal;
  const isCut = kind === 'person' && machine !== undefined && exitCode === CUT;
  const more = isCut
    ? t('terminal.endedCut', { machine })
    : t(terminal.inLayer ? 'terminal.endedInLayer' : 'terminal.endedNoInput');
  const text = standing === 'running' ? said : t('app.sentences', { first: said, second: more });
  return (
    <div className="flex shrink-0 items-center gap-2 border-b border-line bg-sunken px-3 py-1 text-small text-fg-3">
      <p className="min-w-0 truncate" title={text}>
        {text}
      </p>
      {isCut && (
        <Button size="sm" className="shrink-0" onClick={onRestart}>
          {t('terminal.tryAgain')}
        </Button>
      )}
    </div>
  );
};
