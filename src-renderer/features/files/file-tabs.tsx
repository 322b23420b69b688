import type { ProjectId } from '@contract/ids';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useT } from '../../i18n';
import { cx } from '../../ui';
import { plainName } from './file-name';
import { readUnsaved } from './unsaved';
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
  const focus = (path: string | undefined) =>
    path !== undefined &&
    list.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)?.focus();
  useEffect(() => {
    list.current
      ?.querySelector(`[data-path="${CSS.escape(shown)}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown]);
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
        className="flex h-8 shrink-0 items-stretch overflow-x-auto overflow-y-hidden border-b border-line px-1"
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
              'relative flex max-w-44 shrink-0 items-center gap-1.5 px-2 -outline-offset-2 hover:text-fg',
              path === shown
                ? 'text-fg after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 after:bg-accent'
                : 'text-fg-3',
            )}
            onClick={() => onShow(path)}
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
      <div id={id} role="tabpanel" aria-label={plainName(nameOf(shown))} className="min-h-0 grow">
        {children}
      </div>
    </div>
  );
};
