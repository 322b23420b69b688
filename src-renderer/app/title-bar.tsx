import type { Project } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import { ChevronRight, PanelBottom, PanelLeft, PanelRight } from 'lucide-react';
import { ModeSwitch } from '../features/approvals';
import { InboxButton } from '../features/inbox';
import { UsageMeter } from '../features/usage';
import { useT } from '../i18n';
import { useThreadPart } from '../link';
import { cx, IconButton } from '../ui';
import { useKeys } from './use-actions';

interface TitleBarProps {
  project: Project | undefined;
  threadId: ThreadId | null;
  sidebar: boolean;
  dock: boolean;
  terminal: boolean;
  inbox: boolean;
  /** The window has no space for long names and the whole meter. */
  narrow: boolean;
  onSidebar(): void;
  onDock(): void;
  onTerminal(): void;
}

/** The current location, the context usage, and the view toggles. */
export const TitleBar = (props: TitleBarProps) => {
  const { project, threadId, sidebar, dock, terminal } = props;
  const t = useT();
  const keysOf = useKeys();
  const title = useThreadPart(threadId, ({ thread }) => thread.title);
  return (
    <header className="flex h-10 shrink-0 items-center gap-2 border-b border-line bg-sunken pr-2 pl-2">
      <IconButton
        label={t('app.showSidebar')}
        shortcut={keysOf('toggleSidebar')}
        pressed={sidebar}
        onClick={props.onSidebar}
        icon={<PanelLeft size={16} />}
      />
      <h1 className="flex min-w-0 shrink-[9999] items-center gap-1.5 overflow-hidden">
        <span
          className={cx('shrink-0 truncate text-fg-2', props.narrow ? 'max-w-24' : 'max-w-48')}
          title={project?.folder}
        >
          {project?.name ?? 'Deepdesk'}
        </span>
        {title !== undefined && (
          <>
            <ChevronRight aria-hidden size={14} className="shrink-0 text-fg-3" />
            <span dir="auto" className="min-w-0 truncate font-medium" title={title}>
              {title || t('sidebar.untitled')}
            </span>
          </>
        )}
      </h1>
      <span className="grow" />
      <InboxButton shortcut={keysOf('inbox') ?? ''} pressed={props.inbox} />
      {project && <ModeSwitch project={project} shortcut={keysOf('tightenMode') ?? ''} />}
      {threadId !== null && <Meter key={threadId} threadId={threadId} short={props.narrow} />}
      <IconButton
        label={t('app.showTerminal')}
        shortcut={keysOf('toggleTerminal')}
        pressed={terminal}
        onClick={props.onTerminal}
        icon={<PanelBottom size={16} />}
      />
      <IconButton
        label={t('app.showDock')}
        shortcut={keysOf('toggleDock')}
        pressed={dock}
        onClick={props.onDock}
        icon={<PanelRight size={16} />}
      />
    </header>
  );
};

/** Subscribes only to what it shows: the thread itself changes with every word. */
const Meter = ({ threadId, short }: { threadId: ThreadId; short: boolean }) => {
  const thread = useThreadPart(threadId, (state) => state.thread);
  const usage = useThreadPart(threadId, (state) => state.usage);
  return thread && usage ? <UsageMeter thread={{ thread, usage }} short={short} /> : null;
};
