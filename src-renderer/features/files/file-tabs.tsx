import type { Project } from '@contract/app';
import type { ProjectId } from '@contract/ids';
import { AtSign, Copy, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { addToMessage, mention, useApp } from '../../link';
import {
  ContextMenu,
  cx,
  type MenuItem,
  plainName,
  useContextMenu,
  useCopy,
  useSelectedInView,
} from '../../ui';
import { readUnsaved } from './unsaved';
import { mentioned } from './use-file-actions';
import { nameOf } from './viewer-header';

interface FileTabsProps {
  projectId: ProjectId;
  paths: readonly string[];
  /** The path whose file `children` shows. */
  shown: string;
  onShow(path: string): void;
  onClose(path: string): void;
  children: ReactNode;
}

/** The open file below a row of tabs, if several are open. Arrow keys select, Delete or a middle click closes. */
export const FileTabs = ({ projectId, paths, shown, onShow, onClose, children }: FileTabsProps) => {
  const t = useT();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const menu = useContextMenu();
  const [menuOf, setMenuOf] = useState('');
  const focus = (path: string | undefined) =>
    path !== undefined &&
    list.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)?.focus();
  useSelectedInView(list, shown);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = paths.indexOf(shown);
    const to = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1 + paths.length,
      Home: 0,
      End: paths.length - 1,
    }[event.key];
    if (to === undefined && event.key !== 'Delete') return;
    event.preventDefault();
    const next = to === undefined ? (paths[at + 1] ?? paths[at - 1]) : paths[to % paths.length];
    if (to === undefined) onClose(shown);
    else if (next !== undefined) onShow(next);
    focus(next);
  };
  if (paths.length < 2) return children;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div
        ref={list}
        role="tablist"
        aria-label={t('files.openFiles')}
        // A scroll bar comes below the tabs.
        className="flex shrink-0 items-stretch overflow-x-auto overflow-y-hidden border-b border-line px-1"
        onKeyDown={onKeyDown}
      >
        {paths.map((path) => (
          <button
            key={path}
            type="button"
            role="tab"
            data-path={path}
            aria-selected={path === shown}
            aria-controls={path === shown ? id : undefined}
            tabIndex={path === shown ? 0 : -1}
            title={`${plainName(path)}\n${t('files.tabHint')}`}
            className={cx(
              'relative flex h-8 max-w-44 shrink-0 items-center gap-1.5 px-2 -outline-offset-2 hover:text-fg',
              path === shown
                ? 'text-fg after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 after:bg-accent'
                : 'text-fg-3',
            )}
            onClick={() => onShow(path)}
            onContextMenu={(event) => {
              setMenuOf(path);
              menu.onContextMenu(event);
            }}
            onAuxClick={(event) => event.button === 1 && onClose(path)}
          >
            <span className="truncate">{plainName(nameOf(path))}</span>
            {path !== shown && readUnsaved(projectId, path) !== undefined && (
              <span className="shrink-0 text-ask-text">
                <span aria-hidden>●</span> <span className="sr-only">{t('files.notSaved')}</span>
              </span>
            )}
          </button>
        ))}
      </div>
      {menu.place !== null && <TabMenu {...{ menu, projectId, paths, onClose }} path={menuOf} />}
      <div id={id} role="tabpanel" aria-label={plainName(nameOf(shown))} className="min-h-0 grow">
        {children}
      </div>
    </div>
  );
};

interface TabMenuProps extends Pick<FileTabsProps, 'projectId' | 'paths' | 'onClose'> {
  menu: ReturnType<typeof useContextMenu>;
  /** The file of the tab. */
  path: string;
}

const look = { size: 16 };

/** The menu of a tab. Unsaved text of a closed file is kept. */
const TabMenu = ({ menu, projectId, paths, path, onClose }: TabMenuProps) => {
  const t = useT();
  const project = useApp((app) => app.projects.find(({ id }) => id === projectId));
  const fileItems = useFileItems(project, path);
  const closeAll = (of: readonly string[]) => {
    for (const one of of) onClose(one);
  };
  return (
    <ContextMenu
      state={menu}
      label={t('files.menuOf', { name: plainName(nameOf(path)) })}
      items={() => [
        ...fileItems,
        'separator',
        {
          label: t('files.closeTab'),
          icon: <X {...look} />,
          shortcut: 'Del',
          onSelect: () => onClose(path),
        },
        {
          label: t('files.closeOthers'),
          onSelect: () => closeAll(paths.filter((one) => one !== path)),
        },
        { label: t('files.closeAll'), onSelect: () => closeAll(paths) },
      ]}
    />
  );
};

/** What can be done with the file itself, as in the tree. */
function useFileItems(project: Project | undefined, path: string): MenuItem[] {
  const t = useT();
  const copy = useCopy();
  if (project === undefined) return [];
  const copyItem = (label: string, text: string) => ({
    label,
    icon: <Copy {...look} />,
    onSelect: () => copy(text, t('files.pathCopied')),
  });
  const name = mentioned(project, path);
  return [
    {
      label: t('files.addToMessage'),
      icon: <AtSign {...look} />,
      onSelect: () => addToMessage(mention(name)),
    },
    copyItem(t('files.copyPath'), path),
    ...(name === path ? [] : [copyItem(t('files.copyRelative'), name)]),
  ];
}
