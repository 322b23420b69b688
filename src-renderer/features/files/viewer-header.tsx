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
import { useFormats, useT } from '../../i18n';
import { Button, IconButton, LineName, Menu, type MenuItem, plainName } from '../../ui';
import { isText } from './file-kind';
import type { OpenFile } from './lines';
import { useFileActions } from './use-file-actions';
import type { FileView, Leaving } from './use-file-view';

const look = { size: 16 };

/** Attachments are stored under a hash prefix, which tells the person nothing. */
export const nameOf = (path: string) =>
  path.slice(path.lastIndexOf('/') + 1).replace(path.startsWith('/attachments/') ? /^[0-9a-f]{16}-/ : '', '');

interface ViewerHeaderProps {
  path: string;
  view: FileView;
  leaving: Leaving;
}

/** The header of a file: its name, its size, and its actions. */
export const ViewerHeader = ({ path, view, leaving }: ViewerHeaderProps) => {
  const t = useT();
  const { project, kind, isOwn, canEdit, mode, setMode, isDirty } = view;
  const { find, setFind, openFind, canFind, isTextShown, isRendered } = view;
  return (
    <header className="flex h-9 shrink-0 items-center gap-0.5 border-b border-line pr-1.5 pl-3">
      <Title path={path} isDirty={isDirty} file={view.file} />
      {mode === 'edit' && (
        <Button
          size="sm"
          variant="primary"
          busy={leaving.isSaving}
          disabled={!isDirty}
          onClick={() => void leaving.save()}
        >
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
          onClick={() => (find && !(isRendered && kind !== 'pdf') ? setFind(false) : openFind())}
          icon={<Search {...look} />}
        />
      )}
      {canEdit && view.file.phase === 'text' && (
        <IconButton
          size="sm"
          label={mode === 'edit' ? t('files.stopEditing') : t('files.edit')}
          pressed={mode === 'edit'}
          onClick={() => (mode === 'edit' ? leaving.stopEditing() : setMode('edit'))}
          icon={<PencilLine {...look} />}
        />
      )}
      {project && <More path={path} isOwn={isOwn} project={project} extra={textItems(view, t)} />}
      <IconButton size="sm" label={t('files.backToTree')} onClick={leaving.close} icon={<X {...look} />} />
    </header>
  );
};

const Title = ({ path, isDirty, file }: { path: string; isDirty: boolean; file: OpenFile }) => {
  const t = useT();
  return (
    // One line: what does not fit beside the name wraps and is hidden.
    <span
      className="flex h-lh min-w-0 grow flex-wrap items-baseline gap-x-2 overflow-hidden"
      title={plainName(path)}
    >
      <span className="flex max-w-full items-baseline gap-2">
        <span className="selectable flex min-w-0 font-medium">
          <LineName name={nameOf(path)} />
        </span>
        {isDirty && (
          <span className="shrink-0 text-small text-ask-text" title={t('files.notSaved')}>
            <span aria-hidden>●</span> <span className="sr-only">{t('files.notSaved')}</span>
          </span>
        )}
      </span>
      <Facts path={path} file={file} />
    </span>
  );
};

/** Menu items for a file that is shown as text. */
const textItems = (view: FileView, t: ReturnType<typeof useT>): readonly MenuItem[] => {
  const { isTextShown, wrap, setWrap, setGoing, isOwn, blame, setBlame } = view;
  if (!isTextShown) return [];
  return [
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
  ];
};

interface MoreProps {
  path: string;
  isOwn: boolean;
  project: Parameters<typeof useFileActions>[0];
  extra: readonly MenuItem[];
}

/** The less frequent actions. */
const More = ({ path, isOwn, project, extra }: MoreProps) => {
  const t = useT();
  const actions = useFileActions(project);
  return (
    <Menu
      align="end"
      trigger={<IconButton size="sm" label={t('files.more')} icon={<Ellipsis {...look} />} />}
      items={[
        ...extra,
        {
          label: t('files.addToMessage'),
          icon: <AtSign {...look} />,
          onSelect: () => actions.addToMessage(path),
        },
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

const Facts = ({ path, file }: { path: string; file: OpenFile }) => {
  const t = useT();
  const { bytes } = useFormats();
  // A damaged document may read as text, but nobody thinks of its lines.
  if (file.phase !== 'text' || !isText(path)) return null;
  const lines = file.isWhole
    ? t('files.lines', { count: file.count })
    : t('files.linesSoFar', { count: file.count - 1 });
  return (
    <span className="text-small whitespace-nowrap text-fg-3 tabular-nums">
      {file.size === null ? lines : `${lines} · ${bytes(file.size)}`}
    </span>
  );
};
