import type { Project, ProviderState } from '@contract/app';
import type { ThreadState } from '@contract/conversation';
import { ChevronRight, PanelBottom, PanelLeft, PanelRight } from 'lucide-react';
import { useFormats, useT } from '../i18n';
import { IconButton, Tooltip } from '../ui';
import { keysOf, type Platform } from './shortcuts';

interface TitleBarProps {
  project: Project | undefined;
  thread: ThreadState | undefined;
  providers: readonly ProviderState[];
  platform: Platform;
  sidebar: boolean;
  dock: boolean;
  terminal: boolean;
  onSidebar(): void;
  onDock(): void;
  onTerminal(): void;
}

/** Where one is, how full the context is, and what is shown. */
export const TitleBar = (props: TitleBarProps) => {
  const { project, thread, providers, platform, sidebar, dock, terminal } = props;
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
      {thread && <ContextMeter thread={thread} providers={providers} />}
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

/** How full the model's context is, where the provider says. */
const ContextMeter = ({
  thread,
  providers,
}: {
  thread: ThreadState;
  providers: readonly ProviderState[];
}) => {
  const t = useT();
  const formats = useFormats();
  const used = thread.usage.contextTokens;
  if (used === 0) return null;
  const [provider, ...rest] = thread.thread.model.split(':');
  const name = rest.join(':');
  const window = providers
    .find((one) => one.id === provider)
    ?.models.find((model) => model.name === name)?.contextWindow;
  const exact = t('app.contextUsed', { used });
  if (window === undefined) return <span className="text-small text-fg-3 tabular-nums">{exact}</span>;
  const share = Math.min(1, used / window);
  return (
    <Tooltip label={exact}>
      <span className="flex items-center gap-2 text-small text-fg-3 tabular-nums">
        <span aria-hidden className="h-1 w-16 overflow-hidden rounded-full bg-line">
          <span
            className={`block h-full ${share > 0.85 ? 'bg-ask' : 'bg-fg-3'}`}
            style={{ width: `${share * 100}%` }}
          />
        </span>
        {t('app.contextOf', {
          percent: `${Math.round(share * 100)}%`,
          window: `${formats.number(Math.round(window / 1_000))}k`,
        })}
      </span>
    </Tooltip>
  );
};
