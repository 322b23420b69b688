import type { MemoryEntry } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import { Brain, Plus, Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { call, toast } from '../../link';
import { Button, EmptyState, ErrorNote, IconButton, Input, Skeleton, VirtualList } from '../../ui';
import { MemoryEditor } from './memory-editor';
import { MemoryReader } from './memory-reader';
import { type MemoryList, useEditor, useMemoryList } from './use-memories';
import { nameOf, useWriter } from './written-by';

/** Everything that is remembered across threads: to search, read, correct, write and delete. */
export const MemoriesPanel = ({ onOpenThread }: { onOpenThread(threadId: ThreadId): void }) => {
  const t = useT();
  const [query, setQuery] = useState('');
  const { list, reload } = useMemoryList(useDeferredValue(query.trim()));
  const { editor, dispatch, open, save } = useEditor();

  const remove = async (path: string) => {
    const result = await call('memories.delete', { path });
    if (!result.ok) {
      toast(result.error.message);
      return;
    }
    dispatch({ type: 'closed' });
    const restore = async () => {
      const restored = await call('memories.restore', { path });
      if (!restored.ok) toast(restored.error.message);
    };
    toast(t('memories.deleted', { name: nameOf(path) }), {
      label: t('memories.undo'),
      run: () => void restore(),
    });
  };

  if (editor.phase === 'editing' || editor.phase === 'conflict')
    return <MemoryEditor editor={editor} dispatch={dispatch} onSave={(draft) => void save(draft)} />;
  if (editor.phase !== 'closed') {
    return (
      <MemoryReader
        editor={editor}
        onBack={() => dispatch({ type: 'closed' })}
        onEdit={() => dispatch({ type: 'editStarted' })}
        onDelete={(path) => void remove(path)}
        onRetry={open}
        onOpenThread={onOpenThread}
      />
    );
  }
  const create = () => dispatch({ type: 'createStarted', path: '' });
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center gap-1.5 border-b border-line p-2">
        <div className="min-w-0 grow">
          <Input
            type="search"
            className="h-7!"
            icon={<Search size={14} strokeWidth={1.5} />}
            aria-label={t('memories.search')}
            placeholder={t('memories.search')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </div>
        <IconButton label={t('memories.add')} icon={<Plus size={16} strokeWidth={1.5} />} onClick={create} />
      </div>
      <div className="min-h-0 grow">
        <List list={list} onOpen={open} onCreate={create} onRetry={reload} />
      </div>
    </div>
  );
};

/** Pixels: name, excerpt and writer in three lines. */
const ROW = 68;

interface ListProps {
  list: MemoryList;
  onOpen(path: string): void;
  onCreate(): void;
  onRetry(): void;
}

const List = ({ list, onOpen, onCreate, onRetry }: ListProps) => {
  const t = useT();
  if (list.phase === 'loading') return <Skeleton lines={6} />;
  if (list.phase === 'failed') {
    return (
      <div className="p-3">
        <ErrorNote
          message={list.error.message}
          detail={list.error.detail}
          actions={
            <Button size="sm" onClick={onRetry}>
              {t('memories.tryAgain')}
            </Button>
          }
        />
      </div>
    );
  }
  if (list.memories.length === 0) {
    return list.query !== '' ? (
      <EmptyState>{t('memories.noneFound', { query: list.query })}</EmptyState>
    ) : (
      <EmptyState
        icon={<Brain size={28} strokeWidth={1.25} />}
        action={<Button onClick={onCreate}>{t('memories.add')}</Button>}
      >
        {t('memories.empty')}
      </EmptyState>
    );
  }
  return (
    <VirtualList
      items={list.memories}
      itemKey={(memory) => memory.path}
      rowHeight={ROW}
      role="list"
      aria-label={t('memories.title')}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
        const buttons: Element[] = [...event.currentTarget.querySelectorAll('button')];
        const at = document.activeElement ? buttons.indexOf(document.activeElement) : -1;
        if (step === 0 || at === -1) return;
        event.preventDefault();
        const next = buttons[at + step];
        if (next instanceof HTMLElement) next.focus();
      }}
    >
      {(memory) => <MemoryRow memory={memory} onOpen={() => onOpen(memory.path)} />}
    </VirtualList>
  );
};

const MemoryRow = ({ memory, onOpen }: { memory: MemoryEntry; onOpen(): void }) => {
  const { ago, moment } = useFormats();
  const writer = useWriter(memory);
  return (
    <li className="h-full list-none border-b border-line">
      <button
        type="button"
        className="flex h-full w-full flex-col justify-center px-3 text-left -outline-offset-2 hover:bg-hover"
        onClick={onOpen}
      >
        <span className="w-full truncate font-medium" title={memory.path}>
          {nameOf(memory.path)}
        </span>
        <span className="w-full truncate text-fg-2">{memory.excerpt}</span>
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
