import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useT } from '../../i18n';
import {
  cx,
  Kbd,
  MAX_QUERY,
  Overlay,
  useEarlyKey,
  useFontScale,
  VirtualList,
  type VirtualListHandle,
} from '../../ui';
import { rank } from './rank';
import { recentItems, rememberItem } from './recent';

export interface PaletteItem {
  /** Unique among all items. */
  id: string;
  kind: 'action' | 'thread' | 'project' | 'setting' | 'file';
  label: string;
  /** A description, shown at the right. */
  about: string;
  /** Other search terms, such as the name in the other language. */
  also?: string;
  keys?: string | undefined;
  icon?: ReactNode;
  run(): void;
}

interface PaletteProps {
  open: boolean;
  onClose(): void;
  /** All items except files, the most relevant of each kind first. */
  items: readonly PaletteItem[];
  /** Finds files by parts of their names; never rejects. Absent if there is no folder. */
  findFiles?: (query: string, signal: AbortSignal) => Promise<readonly PaletteItem[]>;
}

/** Maximum number of rows shown; typing more finds the rest. */
const MAX_ROWS = 60;
/** Pixels at the default text size: a row, and the space above and below the list. */
const ROW = 32;
const AROUND = 12;
/** The part of the window's height that the list has at most. */
const HIGHEST = 0.6;
/** Milliseconds without typing before files are requested. */
const QUIET = 60;

const PREFIXES: Record<string, readonly PaletteItem['kind'][]> = {
  '>': ['action', 'setting'],
  '#': ['thread', 'project'],
  '/': ['file'],
};

/** Splits what was typed into the query and the kinds it covers. */
function queryOf(typed: string): { query: string; kinds: readonly PaletteItem['kind'][] | null } {
  const kinds = PREFIXES[typed.charAt(0)];
  return kinds === undefined ? { query: typed.trim(), kinds: null } : { query: typed.slice(1).trim(), kinds };
}

/** The matching items, best first, then recently chosen ones; other ties keep their order. `recent`: ids, newest first. */
export function answersOf(
  items: readonly PaletteItem[],
  typed: string,
  recent: readonly string[] = [],
): PaletteItem[] {
  const { query, kinds } = queryOf(typed);
  const place = ({ id }: PaletteItem) => {
    const at = recent.indexOf(id);
    return at === -1 ? recent.length : at;
  };
  return items
    .filter(({ kind }) => kinds === null || kinds.includes(kind))
    .map((item) => ({
      item,
      score: Math.max(
        rank(query, item.label),
        rank(query, `${item.label} ${item.also ?? ''} ${item.about}`, false) / 2,
      ),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => (query === '' ? 0 : b.score - a.score) || place(a.item) - place(b.item))
    .slice(0, MAX_ROWS)
    .map(({ item }) => item);
}

/** One field that finds actions, threads, projects, settings and files, and runs or shows the chosen one. */
export const Palette = ({ open, onClose, ...rest }: PaletteProps) => {
  const t = useT();
  return (
    <Overlay label={t('palette.title')} open={open} onClose={onClose}>
      <Field onClose={onClose} {...rest} />
    </Overlay>
  );
};

/** The row that a key leads to; undefined for other keys. */
const rowAfter = (key: string, chosen: number, last: number): number | undefined =>
  ({
    ArrowDown: chosen >= last ? 0 : chosen + 1,
    ArrowUp: chosen <= 0 ? last : chosen - 1,
    PageDown: Math.min(last, chosen + 8),
    PageUp: Math.max(0, chosen - 8),
  })[key];

const Field = ({ onClose, items, findFiles }: Omit<PaletteProps, 'open'>) => {
  const t = useT();
  const id = useId();
  const list = useRef<VirtualListHandle>(null);
  const scale = useFontScale();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [recent] = useState(recentItems);
  const { query, kinds } = queryOf(typed);
  const asksFiles = query.length > 1 && (kinds === null || kinds.includes('file'));
  const { files, isAnswered } = useFiles(asksFiles ? query : null, findFiles);

  // Files are already ranked, and come after the named items.
  const shown = [...answersOf(items, typed, recent), ...(asksFiles ? files : [])].slice(0, MAX_ROWS);
  const chosen = Math.min(at, shown.length - 1);
  const rowId = (index: number) => `${id}-${index}`;

  const choose = (row: number) => {
    setAt(row);
    list.current?.scrollToIndex(row);
  };
  const run = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    if (item.kind !== 'file') rememberItem(item.id);
    onClose();
    // Runs after the dialog has returned the focus, because the action may move it.
    requestAnimationFrame(() => requestAnimationFrame(() => item.run()));
  };
  const onEarly = useEarlyKey(typed, isAnswered, () => run(shown[chosen]));
  // The files may match an earlier text, unless the person moved to one.
  const isMeant = isAnswered || at > 0 || (shown[chosen] !== undefined && shown[chosen].kind !== 'file');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const next = rowAfter(event.key, chosen, shown.length - 1);
    if (next !== undefined) {
      event.preventDefault();
      choose(next);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (isMeant) run(shown[chosen]);
      else onEarly('Enter');
    }
  };

  return (
    <>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden size={16} className="shrink-0 text-fg-3" />
        <input
          type="text"
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen < 0 ? undefined : rowId(chosen)}
          aria-autocomplete="list"
          aria-label={t('palette.title')}
          placeholder={t('palette.hint')}
          autoComplete="off"
          maxLength={MAX_QUERY}
          spellCheck={false}
          className="h-11 w-full min-w-0 bg-transparent text-read outline-none"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            choose(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className="min-h-0 py-1.5" style={{ height: (shown.length * ROW + AROUND) * scale }}>
        <VirtualList
          handle={list}
          items={shown}
          itemKey={(item) => item.id}
          rowHeight={ROW}
          // It opens over everything, so the window has a lot to draw already.
          height={HIGHEST * window.innerHeight}
          overscan={2}
          id={`${id}-list`}
          role="listbox"
          aria-label={t('palette.results')}
          tabIndex={0}
          className="px-1.5 -outline-offset-2"
          onKeyDown={onKeyDown}
        >
          {(item, index) => <ItemRow id={rowId(index)} item={item} isChosen={index === chosen} onRun={run} />}
        </VirtualList>
      </div>
      {shown.length === 0 && isAnswered && (
        <p className="px-4 pb-4 text-fg-2">{t('palette.none', { query })}</p>
      )}
      <p className="border-t border-line px-4 py-1.5 text-small text-fg-3">{t('palette.prefixes')}</p>
      <p role="status" className="sr-only">
        {t('palette.found', { count: shown.length })}
      </p>
    </>
  );
};

interface ItemRowProps {
  id: string;
  item: PaletteItem;
  isChosen: boolean;
  onRun(item: PaletteItem): void;
}

const ItemRow = ({ id, item, isChosen, onRun }: ItemRowProps) => (
  // The keyboard focus stays in the field, which names the row by aria-activedescendant.
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isChosen}
    className={cx(
      'flex h-8 items-center gap-2.5 rounded-control px-2.5',
      isChosen ? 'bg-accent-soft' : 'hover:bg-hover',
    )}
    onMouseDown={(event) => event.preventDefault()}
    onClick={() => onRun(item)}
  >
    <span aria-hidden className="flex size-4 shrink-0 items-center text-fg-3">
      {item.icon}
    </span>
    <span dir="auto" title={item.label} className="max-w-3/4 shrink-0 truncate">
      {item.label}
    </span>
    <span title={item.about} className="min-w-0 grow truncate text-right text-small text-fg-2">
      {item.about}
    </span>
    {item.keys !== undefined && <Kbd>{item.keys}</Kbd>}
  </div>
);

interface FoundFiles {
  /** What the files match; null: none were asked for. */
  query: string | null;
  files: readonly PaletteItem[];
}
const NO_FILES: FoundFiles = { query: null, files: [] };

/** The files that match, once typing pauses; the last ones stay until then. Null: none are asked for. */
function useFiles(
  query: string | null,
  findFiles: PaletteProps['findFiles'],
): FoundFiles & { isAnswered: boolean } {
  const [found, setFound] = useState(NO_FILES);
  const find = useRef(findFiles);
  find.current = findFiles;
  const isWanted = query !== null && findFiles !== undefined;
  useEffect(() => {
    if (!isWanted) {
      setFound(NO_FILES);
      return;
    }
    const cancel = new AbortController();
    const timer = setTimeout(() => {
      void find.current?.(query, cancel.signal).then((files) => {
        if (!cancel.signal.aborted) setFound({ query, files });
      });
    }, QUIET);
    return () => {
      clearTimeout(timer);
      cancel.abort();
    };
  }, [query, isWanted]);
  return { ...found, isAnswered: !isWanted || found.query === query };
}
