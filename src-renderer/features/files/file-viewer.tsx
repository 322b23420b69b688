import type { ProjectId, ThreadId } from '@contract/ids';
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type Ref,
  Suspense,
  useImperativeHandle,
  useRef,
} from 'react';
import { useT } from '../../i18n';
import { Button, Dialog, plainName, Skeleton } from '../../ui';
import type { kindOf } from './file-kind';
import { GoToLine } from './go-to-line';
import { TextView } from './text-view';
import { writeUnsaved } from './unsaved';
import { type FileView, type Leaving, useFileView, useLeaving } from './use-file-view';
import { nameOf, ViewerHeader } from './viewer-header';
import { Editor } from './viewers/editor';
import { ImageView } from './viewers/image-view';
import { MarkdownView } from './viewers/markdown-view';
import { MediaView } from './viewers/media-view';
import { NotebookView } from './viewers/notebook-view';
import { OfficeView } from './viewers/office-view';
import type { Place } from './viewers/place';
import { TableView } from './viewers/table-view';

const PdfView = lazy(() => import('./viewers/pdf/pdf-view'));

export interface FileViewerHandle {
  /** Handles the open file's keys, even if the focus is beside it. */
  onKeyDown(event: KeyboardEvent): void;
}

interface FileViewerProps {
  projectId: ProjectId;
  /** Needed for scratch files. With null, only the project folder and the memories can be read. */
  threadId: ThreadId | null;
  /** Absolute, as the agent's tools name it. */
  path: string;
  /** The line (0-based) to start at. A new object goes there again. */
  goTo?: { line: number } | null;
  handle?: Ref<FileViewerHandle>;
  onClose(): void;
}

/** The lines whose notes are loaded first. */
const FIRST_LINES = { first: 0 };

/**
 * Shows a file in its own view or as text, and reads it as it is viewed. It follows changes on disk and keeps the scroll
 * position.
 */
export const FileViewer = (props: FileViewerProps) => <Viewer key={props.path} {...props} />;

function Viewer({ projectId, threadId, path, goTo = null, handle, onClose }: FileViewerProps) {
  const view = useFileView(projectId, threadId, path, goTo);
  const leaving = useLeaving(view, onClose);
  const { file, mode, setMode, isTextShown, canFind } = view;

  const onKeyDown = (event: KeyboardEvent) => {
    const mod = event.ctrlKey || event.metaKey;
    if (!mod || event.altKey || event.shiftKey || mode === 'edit') return;
    const key = event.key.toLowerCase();
    if (key === 'f' && canFind) view.openFind();
    else if (key === 'g' && isTextShown) view.setGoing(true);
    else if (key === 'e' && view.canEdit && file.phase === 'text') setMode('edit');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  useImperativeHandle(handle, () => ({ onKeyDown }));

  return (
    <section
      aria-label={path}
      className="flex h-full min-h-0 flex-col bg-bg"
      data-own-find={canFind ? '' : undefined}
      onKeyDown={onKeyDown}
    >
      <ViewerHeader path={path} view={view} leaving={leaving} />
      <div className="min-h-0 grow">
        <Content view={view} leaving={leaving} />
      </div>
      {view.isGoing && (
        <GoToLine
          lines={file.phase === 'text' ? file.count : 0}
          isWhole={file.phase === 'text' && file.isWhole}
          onGo={(wanted) => view.setGoTo({ line: wanted - 1 })}
          onClose={() => view.setGoing(false)}
        />
      )}
      <UnsavedQuestion
        name={nameOf(path)}
        leaving={leaving}
        onDiscarded={() => {
          // Runs after the editor is unmounted, which saves the draft.
          setTimeout(() => {
            writeUnsaved(projectId, path, undefined);
            view.setDirty(false);
          });
        }}
      />
    </section>
  );
}

/** The file itself. */
const Content = ({ view, leaving }: { view: FileView; leaving: Leaving }) => {
  const { place, file, mode, kind, find, setFind, goTo, show } = view;
  const shown = useRef(FIRST_LINES);
  if (mode === 'edit')
    return (
      <Editor
        place={place}
        line={goTo?.line ?? shown.current.first}
        onDirty={view.setDirty}
        handle={(handle) => {
          leaving.editor.current = handle;
        }}
      />
    );
  if (mode === 'shown' && kind !== 'text')
    return <Rendered kind={kind} place={place} find={find} onCloseFind={() => setFind(false)} />;
  return (
    <TextView
      place={place}
      file={file}
      wrap={view.wrap}
      blame={view.blame}
      find={find}
      goTo={goTo}
      onShow={(first, last) => {
        shown.current = { first };
        show(first, last);
      }}
      onReach={view.reach}
      onReload={view.reload}
      onCloseFind={() => setFind(false)}
    />
  );
};

interface UnsavedQuestionProps {
  name: string;
  leaving: Leaving;
  onDiscarded(): void;
}

/** Asks what to do with unsaved text. */
const UnsavedQuestion = ({ name, leaving, onDiscarded }: UnsavedQuestionProps) => {
  const t = useT();
  const { asking, setAsking, save } = leaving;
  return (
    <Dialog
      open={asking !== null}
      onOpenChange={(open) => !open && setAsking(null)}
      title={t('files.unsavedTitle', { name: plainName(name) })}
      description={t('files.unsavedHint')}
      footer={
        <>
          <Button variant="ghost" onClick={() => setAsking(null)}>
            {t('files.keepEditing')}
          </Button>
          <Button
            variant="danger"
            onClick={() => {
              setAsking(null);
              asking?.go();
              onDiscarded();
            }}
          >
            {t('files.discard')}
          </Button>
          <Button
            variant="primary"
            onClick={() => {
              setAsking(null);
              void save().then((isSaved) => isSaved && asking?.go());
            }}
          >
            {t('files.save')}
          </Button>
        </>
      }
    />
  );
};

interface RenderedProps {
  kind: Exclude<ReturnType<typeof kindOf>, 'text'>;
  place: Place;
  find: boolean;
  onCloseFind(): void;
}

const Rendered = ({ kind, place, find, onCloseFind }: RenderedProps): ReactNode => {
  switch (kind) {
    case 'markdown':
      return <MarkdownView place={place} />;
    case 'image':
      return <ImageView place={place} />;
    case 'pdf':
      return (
        <Suspense fallback={<Skeleton lines={8} />}>
          <PdfView place={place} find={find} onCloseFind={onCloseFind} />
        </Suspense>
      );
    case 'audio':
    case 'video':
      return <MediaView place={place} kind={kind} />;
    case 'table':
      return <TableView place={place} />;
    case 'office':
      return <OfficeView place={place} />;
    case 'notebook':
      return <NotebookView place={place} />;
    default:
      return kind satisfies never;
  }
};
