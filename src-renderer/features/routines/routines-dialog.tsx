import type { ProjectId } from '@contract/ids';
import { useT } from '../../i18n';
import type { RoutineShown } from '../../link';
import { Dialog } from '../../ui';
import { RoutinesPage } from './routines-page';

interface RoutinesDialogProps {
  /** Null: closed. */
  shown: RoutineShown | null;
  /** The project that the window shows. */
  projectId: ProjectId | null;
  onClose(): void;
}

/** The page of the routines above the window. */
export const RoutinesDialog = ({ shown, projectId, onClose }: RoutinesDialogProps) => {
  const t = useT();
  return (
    <Dialog
      open={shown !== null}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t('routines.title')}
      description={t('routines.about')}
      size="wide"
    >
      {shown !== null && <RoutinesPage projectId={projectId} shown={shown} onShown={onClose} />}
    </Dialog>
  );
};
