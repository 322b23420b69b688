import { Archive, ArchiveRestore, Pin, PinOff, Trash2, X } from 'lucide-react';
import { useT } from '../../i18n';
import { IconButton } from '../../ui';
import { deleteThreads, markThreads } from './actions';
import type { Marks } from './use-marks';

const icon = { size: 14 } as const;

/** How many threads are selected, and the actions for all of them; hidden if there are none. */
export const MarkedBar = ({ marks: { marked, hands } }: { marks: Marks }) => {
  const t = useT();
  const isPinned = marked.every(({ pinned }) => pinned === true);
  const isArchived = marked.every(({ archived }) => archived === true);
  const then = (act: () => Promise<void>) => () => {
    hands.clear();
    void act();
  };
  return (
    <div
      className={
        marked.length === 0 ? 'sr-only' : 'flex items-center gap-0.5 border-t border-line bg-raised p-1.5'
      }
    >
      <span role="status" className="min-w-0 grow truncate pl-1.5 text-fg-2">
        {marked.length > 0 && t('sidebar.marked', { count: marked.length })}
      </span>
      {marked.length > 0 && (
        <>
          <IconButton
            side="top"
            label={t(isPinned ? 'sidebar.unpin' : 'sidebar.pin')}
            icon={isPinned ? <PinOff {...icon} /> : <Pin {...icon} />}
            onClick={then(() => markThreads(marked, { pinned: !isPinned }, t))}
          />
          <IconButton
            side="top"
            label={t(isArchived ? 'sidebar.unarchive' : 'sidebar.archive')}
            icon={isArchived ? <ArchiveRestore {...icon} /> : <Archive {...icon} />}
            onClick={then(() => markThreads(marked, { archived: !isArchived }, t))}
          />
          <IconButton
            side="top"
            label={t('sidebar.delete')}
            icon={<Trash2 {...icon} />}
            onClick={then(() => deleteThreads(marked, t))}
          />
          <IconButton side="top" label={t('sidebar.markNone')} icon={<X {...icon} />} onClick={hands.clear} />
        </>
      )}
    </div>
  );
};
