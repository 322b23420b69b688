import { CalendarClock, ChevronRight, PencilLine } from 'lucide-react';
import { useT } from '../../i18n';
import { openRoutine } from '../../link';
import { cx, type MenuItem } from '../../ui';
import { setFold } from './folds';
import { WithinMarks } from './project-row';
import { RowActions, useRowMenu } from './row-menu';
import type { Row } from './rows';

interface RoutineRowProps {
  row: Extract<Row, { kind: 'routine' }>;
  tabStop: boolean;
  onFocus(key: string): void;
}

/** The name of a routine above its runs; unfolds them, or folds them again. */
export const RoutineRow = ({ row, tabStop, onFocus }: RoutineRowProps) => {
  const t = useT();
  const menu = useRowMenu(row.id);
  const items = (): MenuItem[] => [
    {
      label: t('sidebar.editRoutine'),
      icon: <PencilLine size={14} />,
      onSelect: () => openRoutine({ routineId: row.id, field: 'name' }),
    },
  ];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the row's button is inside; this only positions its menu
    <div
      onContextMenu={menu.onContextMenu}
      className="group/project relative flex items-center rounded-control hover:bg-hover"
    >
      <button
        type="button"
        data-row={row.key}
        tabIndex={tabStop ? 0 : -1}
        aria-expanded={row.open}
        title={row.name}
        onClick={() => setFold('routines', row.id)}
        className="flex h-7 min-w-0 grow items-center gap-2 rounded-control pr-2 pl-7 text-left text-fg-2 -outline-offset-2"
      >
        <CalendarClock aria-hidden size={14} className="shrink-0 text-fg-3" />
        <span className="min-w-0 truncate">{row.name}</span>
        <ChevronRight
          aria-hidden
          size={12}
          className={cx('shrink-0 text-fg-3 transition-transform', row.open && 'rotate-90')}
        />
        <span className="grow" />
        <WithinMarks within={row.within} />
        <span className="shrink-0 text-small text-fg-3 tabular-nums group-focus-within/project:invisible group-hover/project:invisible">
          {row.count}
        </span>
      </button>
      <RowActions
        state={menu}
        label={t('sidebar.routineActions', { routine: row.name })}
        items={items}
        tabIndex={tabStop ? 0 : -1}
        onClosed={() => onFocus(row.key)}
      />
    </div>
  );
};
