import { CalendarClock, ChevronRight } from 'lucide-react';
import { cx } from '../../ui';
import { setFold } from './folds';
import { WithinMarks } from './project-row';
import type { Row } from './rows';

/** The name of a routine above its runs; unfolds them, or folds them again. */
export const RoutineRow = ({
  row,
  tabStop,
}: {
  row: Extract<Row, { kind: 'routine' }>;
  tabStop: boolean;
}) => (
  <button
    type="button"
    data-row={row.key}
    tabIndex={tabStop ? 0 : -1}
    aria-expanded={row.open}
    title={row.name}
    onClick={() => setFold('routines', row.id)}
    className="flex h-7 w-full items-center gap-2 rounded-control pr-2 pl-7 text-left text-fg-2 -outline-offset-2 hover:bg-hover"
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
    <span className="shrink-0 text-small text-fg-3 tabular-nums">{row.count}</span>
  </button>
);
