import {
  AppWindow,
  AtSign,
  Copy,
  CopyPlus,
  CornerDownRight,
  FilePlus2,
  FolderPlus,
  FolderSearch,
  PencilLine,
  Trash2,
} from 'lucide-react';
import { useT } from '../../../i18n';
import { Menu, type MenuItem, menuAnchor } from '../../../ui';
import type { FileActions } from '../use-file-actions';

/** What a menu was opened for, and where on the screen in pixels. */
export interface MenuPlace {
  path: string;
  kind: 'file' | 'directory' | 'root';
  x: number;
  y: number;
}

interface FileMenuProps {
  place: MenuPlace;
  actions: FileActions;
  onRename(path: string): void;
  onCreate(folder: string, what: 'file' | 'directory'): void;
  onClose(): void;
}

const look = { size: 16 };

/** All actions for one file or folder of the tree. */
export const FileMenu = ({ place, actions, onRename, onCreate, onClose }: FileMenuProps) => {
  const t = useT();
  const { path, kind, x, y } = place;
  const isOwn = actions.isOwn(path) || kind === 'root';
  const isFolder = kind !== 'file';
  const items: MenuItem[] = [];
  if (isOwn && isFolder)
    items.push(
      { label: t('files.newFile'), icon: <FilePlus2 {...look} />, onSelect: () => onCreate(path, 'file') },
      {
        label: t('files.newFolder'),
        icon: <FolderPlus {...look} />,
        onSelect: () => onCreate(path, 'directory'),
      },
      'separator',
    );
  if (kind !== 'root')
    items.push({
      label: t('files.addToMessage'),
      icon: <AtSign {...look} />,
      onSelect: () => actions.addToMessage(path),
    });
  items.push({
    label: t('files.copyPath'),
    icon: <Copy {...look} />,
    onSelect: () => actions.copyPath(path),
  });
  if (isOwn) {
    const isHere = actions.isHere(path);
    if (kind !== 'root' && actions.isInProject(path))
      items.push({
        label: t('files.copyRelative'),
        icon: <CornerDownRight {...look} />,
        onSelect: () => actions.copyRelative(path),
      });
    if (isHere)
      items.push({
        label: t('files.reveal'),
        icon: <FolderSearch {...look} />,
        onSelect: () => void actions.reveal(path),
      });
    if (kind === 'file' && isHere)
      items.push({
        label: t('files.openOutside'),
        icon: <AppWindow {...look} />,
        onSelect: () => void actions.openOutside(path),
      });
    if (kind !== 'root')
      items.push(
        'separator',
        {
          label: t('files.rename'),
          icon: <PencilLine {...look} />,
          shortcut: 'F2',
          onSelect: () => onRename(path),
        },
        ...(isHere
          ? [
              {
                label: t('files.duplicate'),
                icon: <CopyPlus {...look} />,
                onSelect: () => void actions.duplicate(path),
              },
            ]
          : []),
        {
          label: t('files.trash'),
          icon: <Trash2 {...look} />,
          shortcut: 'Delete',
          danger: true,
          onSelect: () => void actions.trash(path),
        },
      );
  }
  return (
    <Menu
      key={`${path}:${x}:${y}`}
      defaultOpen
      onOpenChange={(open) => !open && onClose()}
      trigger={menuAnchor({ x, y }, t('files.menuOf', { name: path.slice(path.lastIndexOf('/') + 1) }))}
      items={items}
    />
  );
};
