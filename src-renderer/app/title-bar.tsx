import type { Project } from '@contract/app';
import type { ThreadState } from '@contract/conversation';
import { ChevronRight, PanelBottom, PanelLeft, PanelRight } from 'lucide-react';
import { ModeSwitch } from '../features/approvals';
import { InboxButton } from '../features/inbox';
import { UsageMeter } from '../features/usage';
import { useT } from '../i18n';
import { IconButton } from '../ui';
import { keysOf, type Platform } from './shortcuts';

interface TitleBarProps {
  project: Project | undefined;
  thread: ThreadState | undefined;
  platform: Platform;
  sidebar: boolean;
  dock: boolean;
  terminal: boolean;
  inbox: boolean;
  onSidebar(): void;
  onDock(): void;
  onTerminal(): void;
}

/** Where one is, how full the context is, and what is shown. */
export const TitleBar = (props: TitleBarProps) => {
  const { project, thread, platform, sidebar, dock, terminal } = props;
  const t = useT();
  return (
    <header className="flex h-10 shrink-0 items-center gap-2 border-b border-line bg-sunken pr-2 pl-2">
      <IconButton
        label={t('app.showSidebar')}
        shortcut={keysOf(platform, 'b')}
        pressed={sidebar}
        onClick={props.onSidebar}
        icon={<PanelLeft size={16} strokeWidth={1.5} />}
      />
      <h1 className="flex min-w-0 items-center gap-1.5">
        <span className="max-w-48 shrink-0 truncate text-fg-2" title={project?.folder}>
          {project?.name ?? 'Deepdesk'}
        </span>
        {thread && (
          <>
            <ChevronRight aria-hidden size={14} strokeWidth={1.5} className="shrink-0 text-fg-3" />
            <span className="min-w-0 truncate font-medium">
              {thread.thread.title || t('sidebar.untitled')}
            </span>
          </>
        )}
      </h1>
      <span className="grow" />
      <InboxButton shortcut={keysOf(platform, 'a', true)} pressed={props.inbox} />
      {project && <ModeSwitch project={project} shortcut={keysOf(platform, 'l', true)} />}
      {thread && <UsageMeter key={thread.thread.id} thread={thread} />}
      <IconButton
        label={t('app.showTerminal')}
        shortcut={keysOf(platform, 'j')}
        pressed={terminal}
        onClick={props.onTerminal}
        icon={<PanelBottom size={16} strokeWidth={1.5} />}
      />
      <IconButton
        label={t('app.showDock')}
        shortcut={keysOf(platform, 'b', true)}
        pressed={dock}
        onClick={props.onDock}
        icon={<PanelRight size={16} strokeWidth={1.5} />}
      />
    </header>
  );
};
