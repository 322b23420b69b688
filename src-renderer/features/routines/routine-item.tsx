import type { RoutineInfo } from '@contract/routines';
import { CalendarClock } from 'lucide-react';
import { type Ref, useEffect } from 'react';
import { useT } from '../../i18n';
import { call, type RoutineShown, toast, toastUndo, useApp, useOfferUndo } from '../../link';
import { Badge, Button, ErrorNote, MoreMenu, useBusy, useFormFocus } from '../../ui';
import { runNow } from './actions';
import { MissedOffer } from './missed-offer';
import { RecordView } from './record-view';
import { RoutineForm } from './routine-form';
import { RunHistory } from './run-history';
import { useTimes } from './times';

interface RoutineItemProps {
  routine: RoutineInfo;
  timeZone: string;
  /** The field of its form that has the focus from the start. */
  focused?: RoutineShown['field'] | undefined;
  /** It was removed. Only its open form is shown then, with what the person typed. */
  isGone: boolean;
  isEditing: boolean;
  onEditing(isEditing: boolean): void;
  onShown(): void;
}

/** One routine: when it runs next, what it may do, its actions and its history. */
export const RoutineItem = (props: RoutineItemProps) => {
  const { routine, timeZone, focused, isGone, isEditing, onEditing, onShown } = props;
  const { form, opener } = useFormFocus(isEditing);
  useEffect(() => {
    if (focused !== undefined)
      form.current
        ?.querySelector<HTMLElement>(focused === 'budget' ? '[inputmode=decimal]' : 'input')
        ?.focus();
  }, [focused, form]);
  const { name } = routine;
  return (
    <li aria-label={name} className="flex flex-col gap-2 border-b border-line py-3 first:pt-0">
      {!isGone && <About routine={routine} timeZone={timeZone} onShown={onShown} />}
      {isEditing && (
        <div ref={form}>
          <RoutineForm
            routine={routine}
            isGone={isGone}
            timeZone={timeZone}
            onDone={() => onEditing(false)}
            onCancel={() => onEditing(false)}
          />
        </div>
      )}
      {!isEditing && !isGone && (
        <ItemActions routine={routine} editRef={opener} onEdit={() => onEditing(true)} onShown={onShown} />
      )}
      {!isGone && <RunHistory routine={routine} onShown={onShown} />}
    </li>
  );
};

const About = ({
  routine,
  timeZone,
  onShown,
}: Pick<RoutineItemProps, 'routine' | 'timeZone' | 'onShown'>) => {
  const t = useT();
  const { name, prompt, schedule, isOn, missed, record } = routine;
  const project = useApp((app) => app.projects.find(({ id }) => id === routine.projectId));
  const problem = useProblem(routine);
  const nextRun = useNextRun(routine);
  return (
    <>
      <div className="flex items-center gap-2">
        <CalendarClock aria-hidden size={16} className="shrink-0 text-fg-3" />
        <h4 className="min-w-0 truncate font-medium" title={name}>
          {name}
        </h4>
        <span className="min-w-0 grow truncate text-small text-fg-3">{project?.name}</span>
        <Badge tone={isOn ? 'ok' : 'neutral'}>{t(isOn ? 'routines.on' : 'routines.off')}</Badge>
      </div>
      <p className="selectable line-clamp-3 text-fg-2 wrap-anywhere">{prompt}</p>
      <p className="text-small text-fg-2">
        {schedule}
        {nextRun !== null && ` · ${nextRun}`}
        {timeZone !== routine.timeZone && ` · ${routine.timeZone.replaceAll('_', ' ')}`}
      </p>
      {problem !== null && <ErrorNote tone="ask" message={t(problem)} />}
      {missed !== null && <MissedOffer routine={routine} missed={missed} named={false} onShown={onShown} />}
      {record === null ? (
        <p className="text-small text-fg-2">{t('routines.needsFirst')}</p>
      ) : (
        <RecordView routine={routine} record={record} />
      )}
    </>
  );
};

/** When it runs next. Null before the first run, which the person starts: nothing runs at that time. */
function useNextRun(routine: RoutineInfo): string | null {
  const t = useT();
  const times = useTimes();
  const { isOn, nextAt, record } = routine;
  if (!isOn) return t('routines.isOff');
  if (nextAt === null) return t('routines.neverAgain');
  return record === null ? null : t('routines.nextAt', { time: times(nextAt, routine) });
}

/** Why the routine cannot run at present. */
function useProblem({ projectId, model }: RoutineInfo) {
  const isThere = useApp((app) => app.projects.some(({ id, missing }) => id === projectId && !missing));
  const hasKey = useApp(
    (app) => app.models.providers.find(({ id }) => model.startsWith(`${id}:`))?.ready !== false,
  );
  if (!isThere) return 'routines.projectGone' as const;
  return hasKey ? null : ('routines.noKey' as const);
}

interface ItemActionsProps {
  routine: RoutineInfo;
  editRef: Ref<HTMLButtonElement>;
  onEdit(): void;
  onShown(): void;
}

const ItemActions = ({ routine, editRef, onEdit, onShown }: ItemActionsProps) => {
  const t = useT();
  const offerUndo = useOfferUndo();
  const [busy, during] = useBusy();
  const { id, name, isOn, record } = routine;
  const run = async (again: boolean) => {
    if (await runNow(id, again)) onShown();
  };
  const turn = async () => {
    const result = await call('routines.turn', { id, isOn: !isOn });
    if (!result.ok) toast(result.error.message);
  };
  const remove = async () => {
    const result = await call('routines.remove', { id });
    if (!result.ok) return toast(result.error.message);
    const undo = async () => {
      const restored = await call('routines.restore', { id });
      if (!restored.ok) toast(restored.error.message);
      return restored.ok;
    };
    const said = t('routines.removed', { name });
    if (!offerUndo({ setting: name, said, undo, place: `routine:${id}` })) toastUndo(said, () => void undo());
  };
  return (
    <div className="flex flex-wrap gap-1.5">
      <Button
        size="sm"
        variant={record === null ? 'primary' : 'secondary'}
        busy={busy}
        onClick={() => void during(run(false))}
      >
        {t(record === null ? 'routines.firstRun' : 'routines.run')}
      </Button>
      {record !== null && (
        <Button size="sm" onClick={() => void during(run(true))}>
          {t('routines.runAgain')}
        </Button>
      )}
      <Button ref={editRef} size="sm" onClick={onEdit}>
        {t('routines.edit')}
      </Button>
      <Button size="sm" onClick={() => void turn()}>
        {t(isOn ? 'routines.turnOff' : 'routines.turnOn')}
      </Button>
      <MoreMenu
        label={t('settings.moreFor', { name })}
        items={[{ label: t('routines.remove'), danger: true, onSelect: () => void remove() }]}
      />
    </div>
  );
};
