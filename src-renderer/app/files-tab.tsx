import type { ProjectId, ThreadId } from '@contract/ids';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Group, Panel, usePanelRef } from 'react-resizable-panels';
import { FilesPanel, FileTabs, FileViewer, type FileViewerHandle } from '../features/files';
import { useT } from '../i18n';
import { Handle } from './handle';
import { closeOpenFile, moveOpenFiles, showOpenFile, useUi } from './ui-store';

/** Minimum pixels for a file to open beside the tree instead of below it. */
const BESIDE_FROM = 720;
/** Width of the tree in pixels beside a file, and its share above one. */
const TREE_WIDTH = 280;
const TREE_SHARE = '40%';

interface FilesTabProps {
  projectId: ProjectId;
  threadId: ThreadId | null;
}

/** The tree and the open file: one above the other, or side by side if there is enough space. */
export const FilesTab = ({ projectId, threadId }: FilesTabProps) => {
  const t = useT();
  const path = useUi((ui) => ui.filePath);
  const openFiles = useUi((ui) => ui.openFiles);
  const goTo = useUi((ui) => ui.fileGoTo);
  const follow = useUi((ui) => ui.followAgent);
  const box = useRef<HTMLDivElement>(null);
  const tree = usePanelRef();
  const viewer = useRef<FileViewerHandle>(null);
  const [isBeside, setBeside] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setBeside(element.clientWidth >= BESIDE_FROM);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const isOpen = path !== null;
  // A share chosen for a height does not fit a width.
  useEffect(() => {
    if (isOpen) tree.current?.resize(isBeside ? TREE_WIDTH : TREE_SHARE);
  }, [isBeside, isOpen, tree]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file that was opened in the tree takes its keys from there, too
    <div
      ref={box}
      className="h-full"
      onKeyDown={(event) => {
        // A name field has its own keys, such as Ctrl+E for the end of the line.
        if (event.defaultPrevented || event.target instanceof HTMLInputElement) return;
        viewer.current?.onKeyDown(event);
      }}
    >
      <Group orientation={isBeside ? 'horizontal' : 'vertical'} className="h-full">
        <Panel
          id="tree"
          panelRef={tree}
          minSize={isBeside ? 200 : 96}
          defaultSize={isOpen ? TREE_SHARE : '100%'}
        >
          <FilesPanel
            projectId={projectId}
            threadId={threadId}
            openPath={path ?? undefined}
            follow={{ on: follow, change: (on) => useUi.setState({ followAgent: on }) }}
            onOpenFile={showOpenFile}
            onMoved={moveOpenFiles}
          />
        </Panel>
        {isOpen && (
          <>
            <Handle direction={isBeside ? 'horizontal' : 'vertical'} label={t('app.resizeTree')} />
            <Panel id="viewer" minSize={isBeside ? 320 : 120} defaultSize="60%">
              <FileTabs
                projectId={projectId}
                paths={openFiles}
                shown={path}
                onShow={showOpenFile}
                onClose={closeOpenFile}
              >
                <FileViewer
                  projectId={projectId}
                  threadId={threadId}
                  path={path}
                  goTo={goTo}
                  handle={viewer}
                  onClose={() => closeOpenFile(path)}
                />
              </FileTabs>
            </Panel>
          </>
        )}
      </Group>
    </div>
  );
};
