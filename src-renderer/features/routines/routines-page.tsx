import type { ProjectId, RoutineId } from '@contract/ids';
import { CalendarClock, Plus } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n';
import { call, lastIn, type RoutineShown, toast } from '../../link';
import {
  Button,
  EmptyState,
  ErrorNote,
  LoadFailed,
  Skeleton,
  useBusy,
  useFormFocus,
  useOpenForms,
} from '../../ui';
import { RoutineForm } from './routine-form';
import { RoutineItem } from './routine-item';
import { useRoutines } from './use-routines';

interface RoutinesPageProps {
  /** The project that the window shows. */
  projectId: ProjectId | null;
  /** The form of this routine is open from the start. */
  shown?: RoutineShown;
  /** A thread is shown now. */
  onShown(): void;
}

/** Every routine with its next time and history, and a form to add one. */
export const RoutinesPage = ({ projectId, shown, onShown }: RoutinesPageProps) => {
  const t = useT();
  const { list, reload } = useRoutines();
  const [adding, setAdding] = useState(false);
  const focus = useFormFocus(adding);
  const wanted = shown?.routineId ?? null;
  const forms = useOpenForms(lastIn(list)?.value.routines ?? [], wanted);
  if (list.phase === 'loading') return <Skeleton lines={5} />;
  const failed = list.phase === 'failed' ? <LoadFailed error={list.error} onRetry={reload} /> : null;
  const listed = lastIn(list)?.value;
  if (listed === undefined) return failed;
  const add = (
    <Button ref={focus.opener} icon={<Plus size={14} />} onClick={() => setAdding(true)}>
      {t('routines.add')}
    </Button>
  );
  const items = forms.entries;
  const removed =
    wanted !== null && items.every(({ entry }) => entry.id !== wanted) ? <Removed id={wanted} /> : null;
  if (items.length === 0 && !adding && removed === null && failed === null)
    return (
      <EmptyState icon={<CalendarClock size={32} />} action={add}>
        {t('routines.empty')}
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-4 pt-1">
      {failed}
      {removed}
      {adding ? (
        <div ref={focus.form}>
          <RoutineForm
            routine={null}
            projectId={projectId}
            timeZone={listed.timeZone}
            onDone={() => setAdding(false)}
            onCancel={() => setAdding(false)}
          />
        </div>
      ) : (
        <div>{add}</div>
      )}
      {items.length > 0 && (
        <ul aria-label={t('routines.list')} className="flex flex-col">
          {items.map(({ entry: routine, isGone }) => (
            <RoutineItem
              key={routine.id}
              routine={routine}
              isGone={isGone}
              isEditing={forms.isOpen(routine.id)}
              onEditing={(isEditing) => forms.setOpen(routine.id, isEditing)}
              timeZone={listed.timeZone}
              focused={wanted === routine.id ? shown?.field : undefined}
              onShown={onShown}
            />
          ))}
        </ul>
      )}
    </div>
  );
};

/** For a run whose routine was removed. The page then lists it again. */
const Removed = ({ id }: { id: RoutineId }) => {
  const t = useT();
  const [busy, during] = useBusy();
  const restore = async () => {
    const result = await during(call('routines.restore', { id }));
    if (!result.ok) toast(result.error.message);
  };
  return (
    <ErrorNote
      tone="ask"
      message={t('routines.wasRemoved')}
      actions={
        <Button size="sm" busy={busy} onClick={() => void restore()}>
          {t('routines.restore')}
        </Button>
      }
    />
  );
};
