import type { Project } from '@contract/app';
import type { ProjectId, ThreadId } from '@contract/ids';
import { type ReactNode, useEffect } from 'react';
import { type Runs, ShortcutsSection } from '../features/actions';
import { ActivityDialog } from '../features/activity';
import { RemoteAgentsSection } from '../features/agents';
import { HostRules, RulesSection } from '../features/approvals';
import { RevertQuestion, revertChanges } from '../features/changes';
import { QuickOpen } from '../features/files';
import { HooksSection } from '../features/hooks';
import { McpSection } from '../features/mcp';
import { PlacesSection, RemoteProjectDialog } from '../features/places';
import { RoutinesDialog, RoutinesPage, SidebarRoutines } from '../features/routines';
import { SettingsDialog, useUpdateNotice } from '../features/settings';
import { Sidebar } from '../features/sidebar';
import { TerminalDock } from '../features/terminal';
import { UsageSection } from '../features/usage';
import { useT } from '../i18n';
import { openFile, useAnswered, useApp } from '../link';
import { cx, DialogOwner, Drawer, Toasts } from '../ui';
import { ActionPalette } from './action-palette';
import { beginThread } from './begin-thread';
import { Center } from './center';
import { Dock } from './dock';
import { Inbox } from './inbox';
import { DropPlace, Offers } from './offers';
import { Columns, Rows, Split } from './panels';
import { Part } from './part';
import { TitleBar } from './title-bar';
import { ALL_ROUTINES, closeToast, isDockWide, selectProject, showTerminalDock, useUi } from './ui-store';
import { useActions, useKeys } from './use-actions';
import { type Commands, useCommands } from './use-commands';
import { useForgetErased } from './use-forget-erased';
import { useFront } from './use-front';
import { useLastScreen } from './use-last-screen';
import { useSelection } from './use-selection';
import { useWhole } from './use-whole';
import { type Layout, useLayout } from './use-width';

/** The window: title bar, sidebar, conversation, dock and terminal, if they fit. */
export const Frame = () => {
  const t = useT();
  const { layout, onDialog } = useLayout();
  const ui = useUi();
  useFront();
  const { project, threadId } = useSelection();
  useLastScreen(threadId);
  useForgetErased();
  const isAnswered = useAnswered();
  const isWhole = useWhole();
  useUpdateNotice();
  useDrawerUntilWide(layout);
  const commands = useCommands(threadId, layout);
  const runs = useActions(project, threadId, layout, commands);
  const keysOf = useKeys();

  const sidebar = (
    <MovingPart name="threads" label={t('app.threads')} onDialog={onDialog}>
      {isWhole && (
        <Sidebar
          projectId={project?.copy?.of ?? project?.id ?? null}
          threadId={threadId}
          onSelectProject={(id) => selectProject(id, null)}
          onNewThread={(id) => void beginThread(id, threadId)}
          newThreadKeys={keysOf('newThread') ?? ''}
        >
          {isAnswered && <SidebarRoutines onOpen={() => useUi.setState({ routines: ALL_ROUTINES })} />}
        </Sidebar>
      )}
    </MovingPart>
  );
  const dock = (onClose?: () => void) =>
    project && (
      <MovingPart name="dock" label={t('app.dock')} onDialog={onDialog}>
        {isWhole && <Dock projectId={project.id} threadId={threadId} onClose={onClose} />}
      </MovingPart>
    );
  const isWide = isDockWide(ui);
  const sidebarBeside = layout !== 'narrow' && ui.sidebarOpen;
  const dockBeside = layout === 'wide' && ui.dockOpen && project !== undefined;
  const terminal = ui.terminalOpen && project && <Terminal projectId={project.id} threadId={threadId} />;

  return (
    <div className="flex h-full flex-col">
      {isWhole ? (
        <Top {...{ project, threadId, layout, commands }} />
      ) : (
        <div className="h-10 shrink-0 border-b border-line bg-sunken" />
      )}
      <main aria-busy={!isAnswered} className="flex min-h-0 grow basis-0 flex-col">
        <Columns beside={sidebarBeside ? sidebar : undefined} label={t('app.resizeSidebar')}>
          <Rows below={terminal || undefined} label={t('app.resizeTerminal')}>
            <Split beside={dockBeside ? dock() : undefined} isWide={isWide} label={t('app.resizeDock')}>
              <Part>
                <ConversationPart>
                  <Center
                    project={project}
                    threadId={threadId}
                    onNewThread={() => project && void beginThread(project.copy?.of ?? project.id, threadId)}
                    stopKeys={keysOf('stop') ?? ''}
                    isWhole={isWhole}
                  />
                </ConversationPart>
              </Part>
            </Split>
          </Rows>
        </Columns>
      </main>
      {isWhole && (
        <>
          <Drawer
            label={t('app.threads')}
            side="left"
            open={layout === 'narrow' && ui.drawer === 'sidebar'}
            onClose={closeDrawer}
          >
            {sidebar}
          </Drawer>
          <Drawer
            label={t('app.dock')}
            side="right"
            wide={isWide}
            open={layout !== 'wide' && ui.drawer === 'dock'}
            onClose={closeDrawer}
          >
            {dock(closeDrawer)}
          </Drawer>
          <Dialogs projectId={project?.id ?? null} runs={runs} />
          <Toasts items={ui.toasts} onClose={closeToast} />
        </>
      )}
    </div>
  );
};

interface TopProps {
  project: Project | undefined;
  threadId: ThreadId | null;
  layout: Layout;
  commands: Commands;
}

/** The title bar. What has no room beside the conversation opens as a drawer. */
const Top = ({ project, threadId, layout, commands }: TopProps) => {
  const ui = useUi();
  return (
    <TitleBar
      project={project}
      threadId={threadId}
      sidebar={layout === 'narrow' ? ui.drawer === 'sidebar' : ui.sidebarOpen}
      dock={layout === 'wide' ? ui.dockOpen : ui.drawer === 'dock'}
      terminal={ui.terminalOpen}
      inbox={ui.inbox !== null}
      narrow={layout === 'narrow'}
      onSidebar={commands.toggleSidebar}
      onDock={commands.toggleDock}
      onTerminal={commands.toggleTerminal}
    />
  );
};

const closeDrawer = () => useUi.setState({ drawer: null });

/** A drawer that a wider window no longer needs does not come back over the conversation when the window is narrow again. */
function useDrawerUntilWide(layout: Layout): void {
  useEffect(() => {
    const { drawer } = useUi.getState();
    if (drawer === 'sidebar' ? layout !== 'narrow' : layout === 'wide') closeDrawer();
  }, [layout]);
}

interface MovingPartProps {
  name: 'threads' | 'dock';
  label: string;
  onDialog(by: 1 | -1): void;
  children: ReactNode;
}

/** A part that is a drawer in a narrow window. */
const MovingPart = ({ name, label, onDialog, children }: MovingPartProps) => (
  <Part>
    <DialogOwner value={onDialog}>
      <section
        data-part={name}
        aria-label={label}
        className={cx('h-full', name === 'threads' && 'bg-sunken')}
      >
        {children}
      </section>
    </DialogOwner>
  </Part>
);

const ConversationPart = ({ children }: { children: ReactNode }) => (
  <section data-part="conversation" aria-labelledby="conversation-heading" className="h-full">
    <h2 id="conversation-heading" className="sr-only">
      {useT()('app.conversation')}
    </h2>
    {children}
  </section>
);

/** Everything that opens above the window's parts. */
const Dialogs = ({ projectId, runs }: { projectId: ProjectId | null; runs: Runs }) => {
  const t = useT();
  const ui = useUi();
  const platform = useApp((app) => app.platform);
  return (
    <>
      <SettingsDialog
        section={ui.settings}
        onSection={(settings) => useUi.setState({ settings })}
        places={<PlacesSection />}
        agents={<RemoteAgentsSection />}
        hooks={<HooksSection />}
        routines={<RoutinesPage projectId={projectId} onShown={() => useUi.setState({ settings: null })} />}
        mcp={<McpSection projectId={projectId} />}
        rules={<RulesSection />}
        hosts={(noHosts) => <HostRules noHosts={noHosts} />}
        projectId={projectId}
        shortcuts={<ShortcutsSection />}
        usage={<UsageSection />}
      />
      <RemoteProjectDialog
        open={ui.remoteFolder}
        onClose={() => useUi.setState({ remoteFolder: false })}
        onOpened={({ id }) => selectProject(id, null)}
      />
      <Inbox platform={platform} />
      <ActivityDialog
        place={ui.activity}
        onClose={() => useUi.setState({ activity: null })}
        onUndo={({ threadId: of, callId }) => revertChanges(of, { kind: 'call', callId }, t)}
      />
      <RoutinesDialog
        shown={ui.routines}
        projectId={projectId}
        onClose={() => useUi.setState({ routines: null })}
      />
      <RevertQuestion />
      <ActionPalette runs={runs} projectId={projectId} />
      {projectId !== null && (
        <QuickOpen
          projectId={projectId}
          open={ui.quickOpen}
          onClose={() => useUi.setState({ quickOpen: false })}
          onOpenFile={openFile}
        />
      )}
      <Offers />
      <DropPlace />
    </>
  );
};

const Terminal = ({ projectId, threadId }: { projectId: ProjectId; threadId: ThreadId | null }) => {
  const selected = useUi((ui) => ui.terminalId);
  const isAnswered = useAnswered();
  return (
    <Part>
      <div data-part="terminal" className="h-full">
        {isAnswered && (
          <TerminalDock
            projectId={projectId}
            threadId={threadId}
            selectedTerminalId={selected}
            onSelect={showTerminalDock}
          />
        )}
      </div>
    </Part>
  );
};
