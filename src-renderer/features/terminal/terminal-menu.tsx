import {
  ClipboardCopy,
  ClipboardPaste,
  Copy,
  Eraser,
  MessageSquarePlus,
  RotateCw,
  Search,
  TextSelect,
} from 'lucide-react';
import { useT } from '../../i18n';
import { Menu, type MenuItem, menuAnchor } from '../../ui';
import type { Block } from './blocks';

export interface MenuPlace {
  /** Position in the window in pixels. */
  x: number;
  y: number;
  /** The command of the person's shell at this position. */
  block: Block | undefined;
  hasSelection: boolean;
}

interface TerminalMenuProps {
  place: MenuPlace;
  isRunning: boolean;
  /** Whether the shell can take a command now. */
  canRun: boolean;
  onCopy(): void;
  onPaste(): void;
  onSelectAll(): void;
  onClear(): void;
  onFind(): void;
  onAddToMessage(): void;
  onCopyCommand(block: Block): void;
  onCopyOutput(block: Block): void;
  onRun(block: Block): void;
  onBlockToMessage(block: Block): void;
  onClosed(): void;
}

const look = { size: 14 } as const;

/** The actions where the terminal was right-clicked, or opened by the menu key. */
export const TerminalMenu = ({ place, isRunning, canRun, ...on }: TerminalMenuProps) => {
  const t = useT();
  const { block } = place;
  const items: MenuItem[] = [
    {
      label: t('terminal.copy'),
      icon: <Copy {...look} />,
      shortcut: 'Ctrl+Shift+C',
      disabled: place.hasSelection ? undefined : t('terminal.noSelection'),
      onSelect: on.onCopy,
    },
    {
      label: t('terminal.paste'),
      icon: <ClipboardPaste {...look} />,
      shortcut: 'Ctrl+Shift+V',
      disabled: isRunning ? undefined : t('terminal.hasEnded'),
      onSelect: on.onPaste,
    },
    { label: t('terminal.selectAll'), icon: <TextSelect {...look} />, onSelect: on.onSelectAll },
    'separator',
    {
      label: t('terminal.find'),
      icon: <Search {...look} />,
      shortcut: 'Ctrl+Shift+F',
      onSelect: on.onFind,
    },
    {
      label: t(place.hasSelection ? 'terminal.selectionToMessage' : 'files.addToMessage'),
      icon: <MessageSquarePlus {...look} />,
      onSelect: on.onAddToMessage,
    },
    { label: t('terminal.clear'), icon: <Eraser {...look} />, onSelect: on.onClear },
    ...(block === undefined
      ? []
      : ([
          'separator',
          { heading: short(block.command) },
          {
            label: t('terminal.copyCommand'),
            icon: <Copy {...look} />,
            onSelect: () => on.onCopyCommand(block),
          },
          {
            label: t('terminal.copyOutput'),
            icon: <ClipboardCopy {...look} />,
            onSelect: () => on.onCopyOutput(block),
          },
          {
            label: t('terminal.blockToMessage'),
            icon: <MessageSquarePlus {...look} />,
            onSelect: () => on.onBlockToMessage(block),
          },
          {
            label: t('terminal.runAgain'),
            icon: <RotateCw {...look} />,
            disabled: canRun ? undefined : t(isRunning ? 'terminal.isBusy' : 'terminal.hasEnded'),
            onSelect: () => on.onRun(block),
          },
        ] satisfies MenuItem[])),
  ];
  return (
    <Menu
      defaultOpen
      items={items}
      onOpenChange={(isOpen) => {
        if (!isOpen) on.onClosed();
      }}
      trigger={menuAnchor(place)}
    />
  );
};

/** Maximum number of UTF-16 units of a command that fit above a menu. */
const SHORT = 40;
const short = (command: string) => {
  const [line = ''] = command.split('\n');
  return line.length > SHORT || line !== command ? `${line.slice(0, SHORT)}…` : line;
};
