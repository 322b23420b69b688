import { CalendarClock } from 'lucide-react';
import { useT } from '../../i18n';
import { lastIn } from '../../link';
import { Button } from '../../ui';
import { MissedOffer } from './missed-offer';
import { useRoutines } from './use-routines';

/** Opens the routines; above it, what was missed. */
export const SidebarRoutines = ({ onOpen }: { onOpen(): void }) => {
  const t = useT();
  const { list } = useRoutines();
  const missed = lastIn(list)?.value.routines.filter((one) => one.missed !== null) ?? [];
  return (
    <div className="flex flex-col gap-1.5 border-t border-line p-1.5">
      {missed.length > 0 && (
        <div className="flex max-h-48 flex-col gap-1.5 overflow-y-auto">
          {missed.map(
            (routine) =>
              routine.missed !== null && (
                <MissedOffer key={routine.id} routine={routine} missed={routine.missed} named />
              ),
          )}
        </div>
      )}
      <Button
        variant="ghost"
        className="justify-start px-2"
        icon={<CalendarClock size={16} />}
        onClick={onOpen}
      >
        {t('routines.open')}
      </Button>
    </div>
  );
};
