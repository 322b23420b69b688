import type { ProjectId, RoutineId } from '@contract/ids';
import { useT } from '../../i18n';
import { Dialog } from '../../ui';
import { RoutinesPage } from './routines-page';

interface RoutinesDialogProps {
  open: boolean;
  /** Opens with the form of this routine. */
  editing: RoutineId | null;
  /** The project that the window shows. */
  projectId: ProjectId | null;
  onClose(): void;
}

/** The page of the routines above the window. */
export const RoutinesDialog = ({ open, editing, projectId, onClose }: RoutinesDialogProps) => {
  const t = useT();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t('routines.title')}
      description={t('routines.about')}
      size="wide"
    >
      {open && <RoutinesPage projectId={projectId} editing={editing} onShown={onClose} />}
    </Dialog>
  );
};
