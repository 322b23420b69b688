import type { ProjectId, ThreadId } from '@contract/ids';
import { X } from 'lucide-react';
import { Group, Panel } from 'react-resizable-panels';
import { ChangesPanel } from '../features/changes';
import { FilesPanel, FileViewer, useFollow } from '../features/files';
import { MemoriesPanel } from '../features/memories';
import { PlanPanel } from '../features/plan';
import { useT } from '../i18n';
import { openThread, openFile as showFile, useApp } from '../link';
import { IconButton, Tabs } from '../ui';
import { Handle } from './handle';
import { type DockTab, useUi } from './ui-store';

interface DockProps {
  projectId: ProjectId;
  threadId: ThreadId | null;
  /** Given where the dock is a drawer. */
  onClose?: (() => void) | undefined;
}

const isTab = (id: string): id is DockTab =>
  id === 'files' || id === 'changes' || id === 'memories' || id === 'plan';

/** Files, changes, memories and plan. */
export const Dock = ({ projectId, threadId, onClose }: DockProps) => {
  const t = useT();
  const tab = useUi((ui) => ui.dockTab);
  const path = useUi((ui) => ui.filePath);
  const mount = useApp((app) => app.projects.find((project) => project.id === projectId)?.mount ?? '');
  const line = useUi((ui) => ui.fileLine);
  const openFile = (filePath: string | null, fileLine: number | null = null) =>
    useUi.setState({ filePath, fileLine });
  const follow = useUi((ui) => ui.followAgent);
  useFollow({ projectId, threadId, on: follow, open: openFile });
  return (
    <Tabs
      label={t('app.dock')}
      value={tab}
      onChange={(id) => isTab(id) && useUi.setState({ dockTab: id })}
      end={onClose && <IconButton label={t('ui.close')} icon={<X size={16} />} onClick={onClose} />}
      tabs={[
        {
          id: 'files',
          label: t('app.files'),
          content: (
            <Group orientation="vertical" className="h-full">
              <Panel id="tree" minSize={96} defaultSize={path === null ? '100%' : '40%'}>
                <FilesPanel
                  projectId={projectId}
                  threadId={threadId}
                  openPath={path ?? undefined}
                  follow={{ on: follow, change: (on) => useUi.setState({ followAgent: on }) }}
                  onOpenFile={openFile}
                />
              </Panel>
              {path !== null && (
                <>
                  <Handle direction="vertical" label={t('app.resize')} />
                  <Panel id="viewer" minSize={120} defaultSize="60%">
                    <FileViewer
                      projectId={projectId}
                      threadId={threadId}
                      path={path}
                      line={line}
                      onClose={() => openFile(null)}
                    />
                  </Panel>
                </>
              )}
            </Group>
          ),
        },
        {
          id: 'changes',
          label: t('app.changes'),
          content: <ChangesPanel threadId={threadId} onOpenFile={(inner) => showFile(`${mount}/${inner}`)} />,
        },
        { id: 'memories', label: t('app.memories'), content: <MemoriesPanel onOpenThread={openThread} /> },
        { id: 'plan', label: t('app.plan'), content: <PlanPanel threadId={threadId} /> },
      ]}
    />
  );
};
