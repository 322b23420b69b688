import type { ProjectId } from '@contract/ids';
import { File, Search } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { type Translate, useT } from '../../i18n';
import { useApp } from '../../link';
import {
  cx,
  MAX_QUERY,
  Overlay,
  plainName,
  useEarlyKey,
  useFontScale,
  VirtualList,
  type VirtualListHandle,
} from '../../ui';
import { MatchCount } from './match-count';
import { recentFiles } from './recent';
import { MarkedName } from './tree/marked-name';
import { isWithin } from './tree/tree';
import { type Match, useFound } from './use-found';

interface QuickOpenProps {
  projectId: ProjectId;
  open: boolean;
  onClose(): void;
  onOpenFile(path: string, line?: number): void;
}

/** Height in pixels, at the default text size. */
const ROW = 28;
const MAX_ROWS = 100;
/** Maximum height of the list in rows. */
const HIGH = 12;

/** A field that finds a file of the project by parts of its name; `name:120` opens it at that line. */
export const QuickOpen = (props: QuickOpenProps) => {
  const t = useT();
  return (
    <Overlay label={t('files.quickOpen')} open={props.open} onClose={props.onClose}>
      <Finder {...props} />
    </Overlay>
  );
};

/** The files of the project that were shown last. */
function useRecent(projectId: ProjectId): Match[] {
  const mount = useApp((app) => app.projects.find((project) => project.id === projectId)?.mount ?? '');
  return useMemo(
    () =>
      recentFiles(projectId)
        .filter((path) => isWithin(path, mount))
        .map((path) => ({ path, name: path.slice(mount.length + 1), ranges: [] })),
    [projectId, mount],
  );
}

function Finder({ projectId, onClose, onOpenFile }: QuickOpenProps) {
  const t = useT();
  const id = useId();
  const scale = useFontScale();
  const [typed, setTyped] = useState('');
  /** Undefined until the person moves. */
  const [at, setAt] = useState<number>();
  const handle = useRef<VirtualListHandle>(null);
  const { query, line } = useMemo(() => parsed(typed), [typed]);
  const found = useFound(projectId, query, MAX_ROWS);
  const recent = useRecent(projectId);
  const rows = query === '' && recent.length > 0 ? recent : found.matches;
  const index = Math.min(at ?? 0, Math.max(0, rows.length - 1));
  const isAnswered = rows === recent || found.query === query;

  const go = (to: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setAt(next);
    handle.current?.scrollToIndex(next);
  };
  const choose = (match: Match | undefined) => {
    if (match === undefined) return;
    onClose();
    onOpenFile(match.path, line);
  };
  const onEarly = useEarlyKey(typed, isAnswered, () => choose(rows[index]));
  const onKeyDown = (event: KeyboardEvent) => {
    const to: Record<string, number> = {
      ArrowDown: index === rows.length - 1 ? 0 : index + 1,
      ArrowUp: index === 0 ? rows.length - 1 : index - 1,
      PageDown: index + HIGH,
      PageUp: index - HIGH,
    };
    const next = to[event.key];
    if (event.nativeEvent.isComposing) return;
    if (next !== undefined) go(next);
    else if (event.key !== 'Enter') return;
    else if (isAnswered || at !== undefined) choose(rows[index]);
    else onEarly(event.key);
    event.preventDefault();
  };
  const note = noteOn(found, rows.length, query, t);

  return (
    <div>
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Search aria-hidden size={16} className="shrink-0 text-fg-3" />
        <input
          role="combobox"
          aria-expanded={rows.length > 0}
          aria-controls={id}
          aria-activedescendant={rows.length > 0 ? `${id}-${index}` : undefined}
          aria-autocomplete="list"
          aria-label={t('files.quickOpen')}
          placeholder={t('files.quickOpenHint')}
          maxLength={MAX_QUERY}
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(undefined);
          }}
          onKeyDown={onKeyDown}
          className="h-11 min-w-0 grow bg-transparent text-read outline-none"
        />
        <span role="status" className="shrink-0 text-small text-fg-3 tabular-nums">
          <MatchCount found={found} isTyped={query !== ''} />
        </span>
      </div>
      {note !== '' ? (
        <p className="px-3 py-3 text-fg-2">{note}</p>
      ) : (
        <div
          className={cx(rows.length > 0 && 'py-1')}
          style={{ height: (Math.min(HIGH, rows.length) * ROW + (rows.length > 0 ? 8 : 0)) * scale }}
        >
          <VirtualList
            handle={handle}
            items={rows}
            itemKey={(match) => match.path}
            rowHeight={ROW}
            id={id}
            role="listbox"
            aria-label={query === '' ? t('files.recent') : t('files.found')}
          >
            {(match, row) => (
              <FoundRow
                id={`${id}-${row}`}
                match={match}
                isSelected={row === index}
                onPoint={() => setAt(row)}
                onChoose={() => choose(match)}
              />
            )}
          </VirtualList>
        </div>
      )}
    </div>
  );
}

/** Splits the input into the file query and the line (1-based), if given. */
export function parsed(typed: string): { query: string; line?: number } {
  const [, name = typed, line] = /^(.*?):(\d{1,9})(?::\d*)?$/u.exec(typed) ?? [];
  return line === undefined || Number(line) === 0
    ? { query: name.replace(/:$/u, '').trim() }
    : { query: name.trim(), line: Number(line) };
}

/** The text shown instead of rows; empty if there are rows. */
function noteOn(found: ReturnType<typeof useFound>, rows: number, query: string, t: Translate): string {
  if (found.error !== undefined) return found.error.message;
  if (rows > 0 || (found.listing && query === '')) return '';
  return found.listing ? t('files.finding') : t('files.noneFound');
}

const FoundRow = (props: {
  id: string;
  match: Match;
  isSelected: boolean;
  onPoint(): void;
  onChoose(): void;
}) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the focused field handles the keys
  <div
    id={props.id}
    role="option"
    tabIndex={-1}
    aria-selected={props.isSelected}
    title={plainName(props.match.name)}
    className={cx('flex h-7 items-center gap-2 px-3', props.isSelected && 'bg-accent-soft')}
    onMouseMove={props.onPoint}
    onClick={props.onChoose}
  >
    <File aria-hidden size={16} className="shrink-0 text-fg-3" />
    <MarkedName match={props.match} />
  </div>
);
