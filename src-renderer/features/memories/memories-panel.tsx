import type { MemoryEntry } from '@contract/app';
import type { MessageId, ProjectId, ThreadId } from '@contract/ids';
import { Brain, Ellipsis, Plus, Search } from 'lucide-react';
import { useDeferredValue, useEffect, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import {
  Badge,
  Button,
  EmptyState,
  IconButton,
  Input,
  LoadFailed,
  Menu,
  moveAmong,
  Skeleton,
  useFocusIfLost,
  VirtualList,
} from '../../ui';
import { CopyDialog, useTeams } from './copy-dialog';
import { pathOf } from './editor';
import { ChosenFilters, FilterMenu, type Filters, filterOf } from './filters';
import { FoundWords } from './found-words';
import { ImportDialog } from './import-dialog';
import { MemoryEditor } from './memory-editor';
import { MemoryReader } from './memory-reader';
import { type MemoryList, useEditor, useMemoryList } from './use-memories';
import { useMemoryChanges, useMemoryFiles } from './use-memory-actions';
import { isShared, isUnverified, nameOf, useWriter } from './written-by';

/** What is remembered across the project's threads, and everywhere: search, read, correct, write, move and delete. */
export const MemoriesPanel = ({
  projectId,
  onOpenThread,
}: {
  /** Null: only those for everywhere. */
  projectId: ProjectId | null;
  onOpenThread(threadId: ThreadId, messageId?: MessageId): void;
}) => {
  const t = useT();
  const [query, setQuery] = useState('');
  const [filters, setFilters] = useState<Filters>({});
  const words = useDeferredValue(query.trim());
  const { list, reload, more, forget } = useMemoryList(filterOf(filters, words), projectId);
  const { editor, dispatch, open, create, save } = useEditor(projectId);
  const { remove, move } = useMemoryChanges({ dispatch, open, forget });
  const { preview, closePreview, exportAll, importFrom } = useMemoryFiles(projectId);
  const teams = useTeams(projectId);
  const [isCopying, setCopying] = useState(false);
  const shown = pathOf(editor);
  const [last, setLast] = useState(shown);
  useEffect(() => {
    if (shown !== undefined) setLast(shown);
  }, [shown]);

  if (editor.phase === 'editing' || editor.phase === 'conflict')
    return <MemoryEditor editor={editor} dispatch={dispatch} onSave={(draft) => void save(draft)} />;
  if (editor.phase !== 'closed') {
    return (
      <MemoryReader
        editor={editor}
        onBack={() => dispatch({ type: 'closed' })}
        onEdit={() => dispatch({ type: 'editStarted' })}
        onDelete={(path) => void remove(path)}
        onMove={(path) => void move(path)}
        onRetry={open}
        onOpenThread={onOpenThread}
        key={editor.phase === 'reading' ? editor.open.memory.path : editor.path}
      />
    );
  }
  const isFiltered = words !== '' || Object.keys(filters).length > 0;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center gap-0.5 border-b border-line py-1 pr-1.5 pl-2">
        <div className="min-w-0 grow">
          <Input
            type="search"
            className="h-7!"
            icon={<Search size={14} />}
            aria-label={t('memories.search')}
            placeholder={t('memories.search')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </div>
        <FilterMenu filters={filters} hasProject={projectId !== null} onChange={setFilters} />
        <IconButton label={t('memories.add')} icon={<Plus size={16} />} onClick={create} />
        <Menu
          align="end"
          trigger={<IconButton label={t('memories.more')} icon={<Ellipsis size={16} />} />}
          items={[
            { label: t('memories.export'), onSelect: () => void exportAll() },
            { label: t('memories.import'), onSelect: () => void importFrom() },
            ...(teams.length === 0
              ? []
              : [{ label: t('memories.copyOpen'), onSelect: () => setCopying(true) }]),
          ]}
        />
      </div>
      <ChosenFilters filters={filters} onChange={setFilters} />
      {list.phase === 'listed' && list.total > 0 && (
        <p role="status" className="px-3 pt-1.5 pb-1 text-small text-fg-3 tabular-nums">
          {t(isFiltered ? 'memories.found' : 'memories.count', { count: list.total })}
        </p>
      )}
      <div className="min-h-0 grow">
        <List
          list={list}
          isFiltered={isFiltered}
          query={words}
          cameFrom={last}
          onOpen={open}
          onCreate={create}
          onShowAll={() => {
            setQuery('');
            setFilters({});
          }}
          onRetry={reload}
          onMore={more}
        />
      </div>
      {preview && <ImportDialog preview={preview} onClose={closePreview} />}
      {isCopying && <CopyDialog projectId={projectId} teams={teams} onClose={() => setCopying(false)} />}
    </div>
  );
};

/** Height in pixels: name, excerpt and writer on three lines. */
const ROW = 68;

interface ListProps {
  list: MemoryList;
  isFiltered: boolean;
  /** The search query. */
  query: string;
  /** The memory that was open before. */
  cameFrom: string | undefined;
  onMore(): void;
  onOpen(path: string): void;
  onCreate(): void;
  /** Clears the query and the filters. */
  onShowAll(): void;
  onRetry(): void;
}

const List = ({
  list,
  isFiltered,
  query,
  cameFrom,
  onOpen,
  onCreate,
  onShowAll,
  onRetry,
  onMore,
}: ListProps) => {
  const t = useT();
  if (list.phase === 'loading') return <Skeleton lines={6} />;
  if (list.phase === 'failed') {
    return (
      <div className="p-3">
        <LoadFailed error={list.error} onRetry={onRetry} />
      </div>
    );
  }
  if (list.memories.length === 0) {
    return isFiltered ? (
      <EmptyState action={<Button onClick={onShowAll}>{t('memories.showAll')}</Button>}>
        {t('memories.noneFound')}
      </EmptyState>
    ) : (
      <NoMemories isReturn={cameFrom !== undefined} onCreate={onCreate} />
    );
  }
  return (
    <VirtualList
      items={list.memories}
      itemKey={(memory) => memory.path}
      rowHeight={ROW}
      cameFrom={cameFrom}
      role="list"
      aria-label={t('memories.title')}
      onScroll={({ currentTarget: at }) => {
        if (at.scrollTop + 2 * at.clientHeight > at.scrollHeight) onMore();
      }}
      onKeyDown={(event) => moveAmong(event, 'button')}
    >
      {(memory) => <MemoryRow memory={memory} query={query} onOpen={() => onOpen(memory.path)} />}
    </VirtualList>
  );
};

/** `isReturn`: the last memory was open and is deleted now, and with it what had the focus. */
const NoMemories = ({ isReturn, onCreate }: { isReturn: boolean; onCreate(): void }) => {
  const t = useT();
  const add = useFocusIfLost<HTMLButtonElement>();
  return (
    <EmptyState
      icon={<Brain size={32} />}
      action={
        <Button ref={isReturn ? add : null} onClick={onCreate}>
          {t('memories.add')}
        </Button>
      }
    >
      {t('memories.empty')}
    </EmptyState>
  );
};

const MemoryRow = ({ memory, query, onOpen }: { memory: MemoryEntry; query: string; onOpen(): void }) => {
  const t = useT();
  const { ago, moment } = useFormats();
  const writer = useWriter(memory);
  return (
    <li className="h-full list-none border-b border-line">
      <button
        type="button"
        className="flex h-full w-full flex-col justify-center px-3 text-left -outline-offset-2 hover:bg-hover"
        onClick={onOpen}
      >
        <span className="flex w-full min-w-0 items-center gap-1.5">
          <span className="min-w-0 truncate font-medium" title={memory.path}>
            <FoundWords text={nameOf(memory.path)} query={query} />
          </span>
          {isShared(memory.path) && <Badge>{t('memories.everywhere')}</Badge>}
          {isUnverified(memory) && <Badge tone="ask">{t('memories.unverified')}</Badge>}
        </span>
        <span className="w-full truncate text-fg-2">
          <FoundWords text={memory.excerpt} query={query} />
        </span>
        <span className="flex w-full min-w-0 gap-1 text-small text-fg-3">
          <span className="min-w-0 truncate">{writer}</span>
          <time className="shrink-0" title={moment(memory.updatedAt)}>
            · {ago(memory.updatedAt, Date.now())}
          </time>
        </span>
      </button>
    </li>
  );
};
