import type { ProjectId, ThreadId } from '@contract/ids';
import {
  AppWindow,
  AtSign,
  Copy,
  Ellipsis,
  Eye,
  FolderSearch,
  History,
  ListOrdered,
  PencilLine,
  Save,
  Search,
  WrapText,
  X,
} from 'lucide-react';
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useFormats, useT } from '../../i18n';
import { useApp } from '../../link';
import { Button, Dialog, IconButton, Menu, type MenuItem, Skeleton } from '../../ui';
import { isText, kindOf } from './file-kind';
import { LineName, plainName } from './file-name';
import { GoToLine } from './go-to-line';
import type { OpenFile } from './lines';
import { rememberFile } from './recent';
import { TextView } from './text-view';
import { isWithin } from './tree';
import { readUnsaved, writeUnsaved } from './unsaved';
import { useFile } from './use-file';
import { useFileActions } from './use-file-actions';
import { Editor, type EditorHandle } from './viewers/editor';
import { ImageView } from './viewers/image-view';
import { MarkdownView } from './viewers/markdown-view';
import { MediaView } from './viewers/media-view';
import { NotebookView } from './viewers/notebook-view';
import type { Place } from './viewers/place';
import { TableView } from './viewers/table-view';

const PdfView = lazy(() => import('./viewers/pdf-view'));

/** What is attached is kept below the beginning of its hash, which says nothing to a person. */
const nameOf = (path: string) =>
  path.slice(path.lastIndexOf('/') + 1).replace(path.startsWith('/attachments/') ? /^[0-9a-f]{16}-/ : '', '');

export interface FileViewerHandle {
  /** Takes the keys of the file that is open: where they were pressed beside it, too. */
  onKeyDown(event: KeyboardEvent): void;
}

interface FileViewerProps {
  projectId: ProjectId;
  /** Needed for scratch files; null reads the project folder and the memories only. */
  threadId: ThreadId | null;
  /** Absolute, as the agent's tools name it. */
  path: string;
  /** 1-based: where to begin. */
  line?: number | null;
  handle?: Ref<FileViewerHandle>;
  onClose(): void;
}

/** `shown`: as what it is; `raw`: its text; `edit`: its text to change. */
type Mode = 'shown' | 'raw' | 'edit';
const look = { size: 16 };
/** Lines beside the margin that are read of at first. */
const NOTHING_SHOWN = { first: 0 };

/** A file, as what it is or as text, read as it is looked at; it follows changes on disk and keeps the reader's place. */
export const FileViewer = (props: FileViewerProps) => <Viewer key={props.path} {...props} />;

function Viewer({ projectId, threadId, path, line = null, handle, onClose }: FileViewerProps) {
  const t = useT();
  const project = useApp((app) => app.projects.find((other) => other.id === projectId));
  const place = useMemo((): Place => ({ projectId, threadId, path }), [projectId, threadId, path]);
  const kind = kindOf(path);
  const isOwn = project !== undefined && isWithin(path, project.mount);
  const canEdit = isOwn && isText(path);
  const hasUnsaved = useMemo(() => readUnsaved(projectId, path) !== undefined, [projectId, path]);
  const [mode, setMode] = useState<Mode>(() =>
    canEdit && hasUnsaved ? 'edit' : kind === 'text' || line !== null ? 'raw' : 'shown',
  );
  const [isDirty, setDirty] = useState(hasUnsaved);
  const [isAsking, setAsking] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [wrap, setWrap] = useState(false);
  const [find, setFind] = useState(false);
  const [blame, setBlame] = useState(false);
  const [isGoing, setGoing] = useState(false);
  const [goTo, setGoTo] = useState<{ line: number }>();
  const editor = useRef<EditorHandle | null>(null);
  const shown = useRef(NOTHING_SHOWN);
  const { file, show, reach, reload } = useFile(projectId, threadId, path);
  const name = nameOf(path);

  useEffect(() => rememberFile(projectId, path), [projectId, path]);
  useEffect(() => {
    if (line === null) return;
    setGoTo({ line: line - 1 });
    setMode((before) => (before === 'shown' ? 'raw' : before));
  }, [line]);

  const save = async () => {
    setSaving(true);
    const isSaved = (await editor.current?.save()) ?? false;
    setSaving(false);
    return isSaved;
  };
  const close = () => (isDirty && mode === 'edit' ? setAsking(true) : onClose());
  const stopEditing = () => (isDirty ? setAsking(true) : setMode(kind === 'text' ? 'raw' : 'shown'));
  const isTextShown = mode === 'raw' && file.phase === 'text';
  const isRendered = mode === 'shown' && kind !== 'text';
  const canFind = isTextShown || (isRendered && (kind === 'pdf' || isText(path)));
  const startFind = () => {
    // What is looked for stands in the text, of which a table or a heading shows a part.
    if (isRendered && kind !== 'pdf') setMode('raw');
    setFind(true);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const mod = event.ctrlKey || event.metaKey;
    if (!mod || event.altKey || event.shiftKey || mode === 'edit') return;
    const key = event.key.toLowerCase();
    if (key === 'f' && canFind) startFind();
    else if (key === 'g' && isTextShown) setGoing(true);
    else if (key === 'e' && canEdit && file.phase === 'text') setMode('edit');
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
      <header className="flex h-9 shrink-0 items-center gap-0.5 border-b border-line pr-1.5 pl-3">
        {/* One line: what does not fit beside the name wraps, and so is not seen. */}
        <span
          className="flex h-lh min-w-0 grow flex-wrap items-baseline gap-x-2 overflow-hidden"
          title={plainName(path)}
        >
          <span className="flex max-w-full items-baseline gap-2">
            <span className="selectable flex min-w-0 font-medium">
              <LineName name={name} />
            </span>
            {isDirty && (
              <span className="shrink-0 text-small text-ask-text" title={t('files.notSaved')}>
                <span aria-hidden>●</span> <span className="sr-only">{t('files.notSaved')}</span>
              </span>
            )}
          </span>
          <Facts file={file} />
        </span>
        {mode === 'edit' && (
          <Button size="sm" variant="primary" busy={isSaving} disabled={!isDirty} onClick={() => void save()}>
            <Save size={14} /> {t('files.save')}
          </Button>
        )}
        {kind !== 'text' && isText(path) && mode !== 'edit' && (
          <IconButton
            size="sm"
            label={mode === 'shown' ? t('files.showText') : t('files.showRendered')}
            pressed={mode === 'shown'}
            onClick={() => setMode(mode === 'shown' ? 'raw' : 'shown')}
            icon={<Eye {...look} />}
          />
        )}
        {canFind && (
          <IconButton
            size="sm"
            label={t('files.find')}
            shortcut="Ctrl+F"
            pressed={find && (isTextShown || kind === 'pdf')}
            onClick={() => (find && !(isRendered && kind !== 'pdf') ? setFind(false) : startFind())}
            icon={<Search {...look} />}
          />
        )}
        {canEdit && file.phase === 'text' && (
          <IconButton
            size="sm"
            label={mode === 'edit' ? t('files.stopEditing') : t('files.edit')}
            pressed={mode === 'edit'}
            onClick={() => (mode === 'edit' ? stopEditing() : setMode('edit'))}
            icon={<PencilLine {...look} />}
          />
        )}
        {project && (
          <More
            path={path}
            isOwn={isOwn}
            project={project}
            extra={
              isTextShown
                ? [
                    {
                      label: t('files.wrap'),
                      icon: <WrapText {...look} />,
                      checked: wrap,
                      onSelect: () => setWrap(!wrap),
                    },
                    {
                      label: t('files.goToLine'),
                      icon: <ListOrdered {...look} />,
                      shortcut: 'Ctrl+G',
                      onSelect: () => setGoing(true),
                    },
                    ...(isOwn
                      ? [
                          {
                            label: t('files.blame'),
                            icon: <History {...look} />,
                            checked: blame,
                            onSelect: () => setBlame(!blame),
                          },
                        ]
                      : []),
                    'separator',
                  ]
                : []
            }
          />
        )}
        <IconButton size="sm" label={t('files.backToTree')} onClick={close} icon={<X {...look} />} />
      </header>
      <div className="min-h-0 grow">
        {mode === 'edit' ? (
          <Editor
            place={place}
            line={goTo?.line ?? shown.current.first}
            onDirty={setDirty}
            handle={(handle) => {
              editor.current = handle;
            }}
          />
        ) : mode === 'shown' && kind !== 'text' ? (
          <Rendered kind={kind} place={place} find={find} onCloseFind={() => setFind(false)} />
        ) : (
          <TextView
            place={place}
            file={file}
            wrap={wrap}
            blame={blame}
            find={find}
            goTo={goTo}
            onShow={(first, last) => {
              shown.current = { first };
              show(first, last);
            }}
            onReach={reach}
            onReload={reload}
            onCloseFind={() => setFind(false)}
          />
        )}
      </div>
      {isGoing && (
        <GoToLine
          lines={file.phase === 'text' ? file.count : 0}
          isWhole={file.phase === 'text' && file.isWhole}
          onGo={(wanted) => setGoTo({ line: wanted - 1 })}
          onClose={() => setGoing(false)}
        />
      )}
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('files.unsavedTitle', { name: plainName(name) })}
        description={t('files.unsavedHint')}
        footer={
          <>
            <Button
              variant="danger"
              onClick={() => {
                setAsking(false);
                setDirty(false);
                onClose();
                // After the editor has gone, which keeps what was typed.
                setTimeout(() => writeUnsaved(projectId, path, undefined));
              }}
            >
              {t('files.discard')}
            </Button>
            <Button
              variant="primary"
              onClick={() => {
                setAsking(false);
                void save().then((isSaved) => isSaved && onClose());
              }}
            >
              {t('files.save')}
            </Button>
          </>
        }
      />
    </section>
  );
}

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
    case 'notebook':
      return <NotebookView place={place} />;
    default:
      return kind satisfies never;
  }
};

interface MoreProps {
  path: string;
  isOwn: boolean;
  project: Parameters<typeof useFileActions>[0];
  extra: readonly MenuItem[];
}

/** What is done with the file less often. */
const More = ({ path, isOwn, project, extra }: MoreProps) => {
  const t = useT();
  const actions = useFileActions(project);
  return (
    <Menu
      align="end"
      trigger={<IconButton size="sm" label={t('files.more')} icon={<Ellipsis {...look} />} />}
      items={[
        ...extra,
        { label: t('files.addToChat'), icon: <AtSign {...look} />, onSelect: () => actions.addToChat(path) },
        { label: t('files.copyPath'), icon: <Copy {...look} />, onSelect: () => actions.copyPath(path) },
        ...(isOwn
          ? [
              {
                label: t('files.reveal'),
                icon: <FolderSearch {...look} />,
                onSelect: () => void actions.reveal(path),
              },
              {
                label: t('files.openOutside'),
                icon: <AppWindow {...look} />,
                onSelect: () => void actions.openOutside(path),
              },
            ]
          : []),
      ]}
    />
  );
};

const Facts = ({ file }: { file: OpenFile }) => {
  const t = useT();
  const { bytes } = useFormats();
  if (file.phase !== 'text') return null;
  const lines = file.isWhole
    ? t('files.lines', { count: file.count })
    : t('files.linesSoFar', { count: file.count - 1 });
  return (
    <span className="text-small whitespace-nowrap text-fg-3 tabular-nums">
      {file.size === null ? lines : `${lines} · ${bytes(file.size)}`}
    </span>
  );
};
