import type { Input } from '@contract/commands';
import type { CallId, ProjectId, ThreadId } from '@contract/ids';
import type { Translate } from '../../i18n';
import { call, toast, toastUndo } from '../../link';

interface Place {
  projectId: ProjectId;
  threadId: ThreadId;
}

type Choice = Pick<Input<'copies.bringIn'>, 'paths' | 'parts'>;

/** Merges changes into the folder, says what came of it, and offers to undo it. Resolves to whether it was possible. */
export async function bringIn(place: Place, choice: Choice, t: Translate): Promise<boolean> {
  const result = await call('copies.bringIn', { ...place, ...choice });
  if (!result.ok) {
    toast(result.error.message);
    return false;
  }
  const { brought, left, callId } = result.value;
  const done = t('copies.brought', { count: brought.length });
  const message =
    left.length === 0
      ? done
      : t('app.sentences', { first: done, second: t('copies.left', { count: left.length }) });
  if (callId === null) toast(message);
  else toastUndo(message, () => void undo(place, callId, t, false));
  return true;
}

async function undo(place: Place, callId: CallId, t: Translate, force: boolean): Promise<void> {
  const result = await call('copies.undo', { ...place, callId, force });
  if (!result.ok) toast(result.error.message);
  else if (result.value.done) toast(t('copies.undone', { count: result.value.files }));
  else
    toast(t('copies.undoChanged'), {
      label: t('copies.undoAnyway'),
      run: () => void undo(place, callId, t, true),
    });
}
