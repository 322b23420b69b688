import type { ProjectId } from '@contract/ids';
import { File } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useT } from '../../../i18n';
import { cx, EmptyState, plainName, VirtualList, type VirtualListHandle } from '../../../ui';
import { MatchCount } from '../match-count';
import { useFound } from '../use-found';
import { MarkedName } from './marked-name';

interface FilteredFilesProps {
  projectId: ProjectId;
  query: string;
  openPath: string | undefined;
  onOpenFile(path: string): void;
  /** Returns the keyboard focus to the field. */
  onLeave(): void;
}

const ROW = 28;
const MAX_ROWS = 500;

/** The files of the folder that match the filter, at any depth. */
export const FilteredFiles = ({ projectId, query, openPath, onOpenFile, onLeave }: FilteredFilesProps) => {
  const t = useT();
  const id = useId();
  const found = useFound(projectId, query, MAX_ROWS);
  // Another text has other rows, which start at the first.
  const [chosen, setChosen] = useState({ query, at: 0 });
  const at = chosen.query === query ? chosen.at : 0;
  const setAt = (row: number) => setChosen({ query, at: row });
  const handle = useRef<VirtualListHandle>(null);
  const rows = found.matches;
  const index = Math.min(at, Math.max(0, rows.length - 1));
  const go = (to: number) => {
    setAt(Math.max(0, Math.min(rows.length - 1, to)));
    handle.current?.scrollToIndex(Math.max(0, Math.min(rows.length - 1, to)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') go(index + 1);
    else if (event.key === 'ArrowUp' && index === 0) onLeave();
    else if (event.key === 'ArrowUp') go(index - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(rows.length - 1);
    else if (event.key === 'Escape') onLeave();
    else if (event.key === 'Enter' || event.key === ' ') rows[index] && onOpenFile(rows[index].path);
    else return;
    event.preventDefault();
  };
  if (found.error) return <EmptyState>{found.error.message}</EmptyState>;
  if (rows.length === 0)
    return <EmptyState>{found.listing ? t('files.finding') : t('files.noneFound')}</EmptyState>;
  return (
    <div className="flex h-full flex-col">
      <p role="status" className="shrink-0 px-3 pt-1.5 text-small text-fg-3 tabular-nums">
        <MatchCount found={found} isTyped />
      </p>
      <div className="min-h-0 grow">
        <VirtualList
          handle={handle}
          items={rows}
          itemKey={(match) => match.path}
          rowHeight={ROW}
          role="listbox"
          aria-label={t('files.found')}
          aria-activedescendant={`${id}-${index}`}
          tabIndex={0}
          data-rows
          className="py-1 outline-none"
          onKeyDown={onKeyDown}
        >
          {(match, row) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the focused list handles the keys
            <div
              id={`${id}-${row}`}
              role="option"
              tabIndex={-1}
              aria-selected={row === index}
              title={plainName(match.name)}
              className={cx(
                'flex h-7 items-center gap-1.5 px-3',
                match.path === openPath ? 'bg-accent-soft' : 'hover:bg-hover',
                row === index && match.path !== openPath && 'bg-hover',
              )}
              onClick={() => {
                setAt(row);
                onOpenFile(match.path);
              }}
            >
              <File aria-hidden size={16} className="shrink-0 text-fg-3" />
              <MarkedName match={match} />
            </div>
          )}
        </VirtualList>
      </div>
    </div>
  );
};
