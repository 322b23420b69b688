import type { ProjectId, ThreadId } from '@contract/ids';
import { FoldHorizontal, UnfoldHorizontal, X } from 'lucide-react';
import { RemoteTasks } from '../features/agents';
import { ChangesPanel } from '../features/changes';
import { CopyPanel } from '../features/copies';
import { useFollow } from '../features/files';
import { MemoriesPanel } from '../features/memories';
import { PlanPanel } from '../features/plan';
import { useT } from '../i18n';
import { changedAt, openThread, openFile as showFile, useApp } from '../link';
import { IconButton, Tabs } from '../ui';
import { FilesTab } from './files-tab';
import { type DockTab, isDockWide, showOpenFile, toggleDockWidth, useUi } from './ui-store';
import { useKeys } from './use-actions';

interface DockProps {
  projectId: ProjectId;
  threadId: ThreadId | null;
  /** Set if the dock is a drawer. */
  onClose?: (() => void) | undefined;
}

const isTab = (id: string): id is DockTab =>
  id === 'files' || id === 'changes' || id === 'memories' || id === 'plan';

/** Files, changes, memories and plan. */
export const Dock = ({ projectId, threadId, onClose }: DockProps) => {
  const t = useT();
  const tab = useUi((ui) => ui.dockTab);
  const project = useApp((app) => app.projects.find((one) => one.id === projectId));
  const showChanged = (path: string) => showFile(changedAt(path, project?.mount ?? ''));
  const follow = useUi((ui) => ui.followAgent);
  useFollow({ projectId, threadId, on: follow, open: showOpenFile });
  const isWide = useUi(isDockWide);
  const keysOf = useKeys();
  return (
    <Tabs
      label={t('app.dock')}
      value={tab}
      onChange={(id) => isTab(id) && useUi.setState({ dockTab: id })}
      end={
        <>
          <IconButton
            label={t(isWide ? 'app.lessRoom' : 'app.moreRoom')}
            shortcut={keysOf('widenDock')}
            icon={isWide ? <FoldHorizontal size={16} /> : <UnfoldHorizontal size={16} />}
            onClick={toggleDockWidth}
          />
          {onClose && <IconButton label={t('ui.close')} icon={<X size={16} />} onClick={onClose} />}
        </>
      }
      tabs={[
        {
          id: 'files',
          label: t('app.files'),
          content: <FilesTab projectId={projectId} threadId={threadId} />,
        },
        {
          id: 'changes',
          label: t('app.changes'),
          content:
            project?.copy === undefined || threadId === null ? (
              <ChangesPanel threadId={threadId} onOpenFile={showChanged} />
            ) : (
              <CopyPanel project={project} threadId={threadId} onOpenFile={showChanged} />
            ),
        },
        {
          id: 'memories',
          label: t('app.memories'),
          content: <MemoriesPanel projectId={projectId} onOpenThread={openThread} />,
        },
        {
          id: 'plan',
          label: t('app.plan'),
          content: (
            <div className="flex h-full min-h-0 flex-col">
              <div className="min-h-0 grow">
                <PlanPanel threadId={threadId} />
              </div>
              <RemoteTasks threadId={threadId} />
            </div>
          ),
        },
      ]}
    />
  );
};
