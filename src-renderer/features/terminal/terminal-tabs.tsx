import type { TerminalInfo } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import { Bot, MessageSquare, PencilLine, User, X } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { openThread, useApp } from '../../link';
import { ContextMenu, cx, Spinner, useContextMenu, useSelectedInView } from '../../ui';
import { nameOf, type TabOf } from './status';

interface TerminalTabsProps {
  tabs: readonly TabOf[];
  selected: TabOf | undefined;
  /** The id of the tab panel. */
  panelId: string;
  onSelect(tab: TabOf): void;
  /** F2 on one of the person's terminals. */
  onRename(terminal: TerminalInfo): void;
  /** Delete, or a middle click, on one of them. */
  onClose(terminal: TerminalInfo): void;
}

/** One tab per run and per terminal. Arrow keys select, F2 renames, Delete closes. */
export const TerminalTabs = ({ tabs, selected, panelId, ...on }: TerminalTabsProps) => {
  const t = useT();
  const list = useRef<HTMLDivElement>(null);
  const menu = useContextMenu();
  const [menuOf, setMenuOf] = useState<TabOf>();
  const threads = useApp((app) => app.threads);
  const at = selected === undefined ? -1 : tabs.indexOf(selected);
  useSelectedInView(list, selected?.id);
  const go = (next: number) => {
    const tab = tabs[(next + tabs.length) % tabs.length];
    if (!tab) return;
    on.onSelect(tab);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(tab.id)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, () => void> = {
      ArrowRight: () => go(at + 1),
      ArrowLeft: () => go(at - 1),
      Home: () => go(0),
      End: () => go(tabs.length - 1),
      ...(selected?.kind === 'own'
        ? { F2: () => on.onRename(selected.terminal), Delete: () => on.onClose(selected.terminal) }
        : {}),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  const tabName = (tab: TabOf): string => {
    if (tab.kind === 'own') return nameOf(tab.terminal);
    if (tab === tabs[0]) return t('terminal.commands');
    const thread = threads.find(({ id }) => id === tab.threadId);
    if (thread === undefined) return t('terminal.commandsOfDeleted');
    return t('terminal.commandsOf', { thread: thread.title || t('terminal.untitled') });
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={t('terminal.tabs')}
        className="flex min-w-0 grow items-stretch overflow-x-auto overflow-y-hidden"
        onKeyDown={onKeyDown}
      >
        {tabs.map((tab) => (
          <Tab
            key={tab.id}
            tab={tab}
            name={tabName(tab)}
            isSelected={tab === selected}
            panelId={panelId}
            on={on}
            onMenu={(event) => {
              setMenuOf(tab);
              menu.onContextMenu(event);
            }}
          />
        ))}
      </div>
      {menuOf !== undefined && <TabMenu menu={menu} tab={menuOf} name={tabName(menuOf)} on={on} />}
    </>
  );
};

interface TabMenuProps {
  menu: ReturnType<typeof useContextMenu>;
  tab: TabOf;
  name: string;
  on: Pick<TerminalTabsProps, 'onRename' | 'onClose'>;
}

const look = { size: 14 } as const;

const openItem = (label: string, threadId: ThreadId) => ({
  label,
  icon: <MessageSquare {...look} />,
  onSelect: () => openThread(threadId),
});

const TabMenu = ({ menu, tab, name, on }: TabMenuProps) => {
  const t = useT();
  const items = () =>
    tab.kind === 'own'
      ? [
          {
            label: t('terminal.rename'),
            icon: <PencilLine {...look} />,
            shortcut: 'F2',
            onSelect: () => on.onRename(tab.terminal),
          },
          {
            label: t('terminal.close'),
            icon: <X {...look} />,
            shortcut: 'Del',
            danger: true,
            onSelect: () => on.onClose(tab.terminal),
          },
        ]
      : tab.threadId === null
        ? []
        : [openItem(t('terminal.openThread'), tab.threadId)];
  return <ContextMenu state={menu} label={t('terminal.tabMenu', { name })} items={items} />;
};

const Tab = ({
  tab,
  name,
  isSelected,
  panelId,
  on,
  onMenu,
}: {
  tab: TabOf;
  name: string;
  isSelected: boolean;
  panelId: string;
  on: Pick<TerminalTabsProps, 'onSelect' | 'onRename' | 'onClose'>;
  onMenu(event: MouseEvent<HTMLElement>): void;
}) => {
  const t = useT();
  return (
    <button
      type="button"
      role="tab"
      data-tab={tab.id}
      aria-selected={isSelected}
      aria-controls={isSelected ? panelId : undefined}
      tabIndex={isSelected ? 0 : -1}
      title={`${name}\n${t(tab.kind === 'own' ? 'terminal.yours' : 'terminal.agents')}`}
      className={cx(
        'relative flex max-w-52 shrink-0 items-center gap-1.5 px-2 font-medium -outline-offset-2 hover:text-fg',
        isSelected
          ? 'text-fg after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 after:bg-accent'
          : 'text-fg-3',
      )}
      onClick={() => on.onSelect(tab)}
      onDoubleClick={() => tab.kind === 'own' && on.onRename(tab.terminal)}
      onContextMenu={onMenu}
      onAuxClick={(event) => event.button === 1 && tab.kind === 'own' && on.onClose(tab.terminal)}
    >
      <TabIcon tab={tab} />
      <span className={cx('truncate', tab.kind === 'own' && tab.terminal.endedAt !== null && 'italic')}>
        {name}
      </span>
      {tab.kind === 'run' && (
        <span className="text-small text-fg-3 tabular-nums">{tab.terminals.length}</span>
      )}
    </button>
  );
};

const TabIcon = ({ tab }: { tab: TabOf }) => {
  if (tab.kind === 'own') return <User aria-hidden size={14} className="shrink-0" />;
  if (tab.terminals.some(({ status }) => status === 'running')) return <Spinner />;
  return <Bot aria-hidden size={14} className="shrink-0" />;
};
