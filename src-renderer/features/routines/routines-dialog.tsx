import { useT } from '../../i18n';
import { Dialog } from '../../ui';
import { RoutinesPage } from './routines-page';

/** The page of the routines above the window. */
export const RoutinesDialog = ({ open, onClose }: { open: boolean; onClose(): void }) => {
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
      {open && <RoutinesPage onShown={onClose} />}
    </Dialog>
  );
};
