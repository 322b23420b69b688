import type { ReactNode } from 'react';
import { moveAmong } from './focus/move-among';
import { VirtualList } from './virtual-list';

/** Height in pixels. */
const ROW = 28;

interface PathListProps<T> {
  items: readonly T[];
  label: string;
  /** What the list leaves out, each on a line. */
  notes?: readonly (string | false)[];
  /** The path of the file that was opened in place of the list. */
  cameFrom?: string | null | undefined;
  /** A row. Arrow keys move between its elements with `data-row`. */
  children(item: T): ReactNode;
}

/** A list of files that fills its place and scrolls. */
export const PathList = <T extends { path: string }>({
  items,
  label,
  notes = [],
  cameFrom,
  children,
}: PathListProps<T>) => {
  const said = notes.filter((note) => note !== false);
  return (
    <>
      <div className="min-h-0 grow">
        <VirtualList
          items={items}
          itemKey={({ path }) => path}
          rowHeight={ROW}
          cameFrom={cameFrom}
          role="list"
          aria-label={label}
          onKeyDown={(event) => moveAmong(event, '[data-row]')}
        >
          {children}
        </VirtualList>
      </div>
      {said.length > 0 && (
        <div className="shrink-0 border-t border-line px-3 py-1.5 text-small text-fg-3">
          {said.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      )}
    </>
  );
};
