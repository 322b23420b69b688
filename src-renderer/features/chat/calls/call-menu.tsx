import type { AgentMessage, ToolCall } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { Copy, FileSearch2, FileText, GitFork, SquareTerminal, Undo2 } from 'lucide-react';
import type { MouseEvent } from 'react';
import { type Translate, useT } from '../../../i18n';
import { call as ask, openFile, revert, showTerminal, toast } from '../../../link';
import { ContextMenu, type CopyText, type MenuItem, useContextMenu, useCopy } from '../../../ui';
import { useFolderGone } from '../folder-gone';
import { forkAt } from '../message-menu';
import { fileOf, lineOf } from './call-file';

interface CallMenuProps {
  threadId: ThreadId;
  call: ToolCall;
  /** The message that made the call; absent inside a sub-agent. */
  step?: AgentMessage | undefined;
}

/** What can be done with one call, for right click and the menu key on its line. */
export function useCallMenu(props: CallMenuProps) {
  const t = useT();
  const gone = useFolderGone();
  const copy = useCopy();
  const menu = useContextMenu();
  return {
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      if (!event.defaultPrevented) menu.onContextMenu(event);
    },
    element: (
      <ContextMenu state={menu} label={t('tools.callActions')} items={() => itemsOf(props, gone, t, copy)} />
    ),
  };
}

const icon = { size: 14 };

interface Subject {
  label: string;
  text: string;
  copied: string;
}

/** What the call acts on, as its line shows it: a command or a path, else all arguments. */
function subjectOf({ display, args }: ToolCall, t: Translate): Subject {
  const path = args.file_path ?? args.path;
  if (display === 'command' && typeof args.command === 'string')
    return { label: t('tools.copyCommand'), text: args.command, copied: t('terminal.copied') };
  if (typeof path === 'string')
    return { label: t('files.copyPath'), text: path, copied: t('files.pathCopied') };
  return {
    label: t('tools.copyArguments'),
    text: JSON.stringify(args, null, 2),
    copied: t('tools.argumentsCopied'),
  };
}

function itemsOf(
  { threadId, call, step }: CallMenuProps,
  gone: string | undefined,
  t: Translate,
  copy: CopyText,
): MenuItem[] {
  const { result, terminalId } = call;
  const { label, text, copied } = subjectOf(call, t);
  return [
    { label, icon: <Copy {...icon} />, onSelect: () => copy(text, copied) },
    {
      label: t('tools.copyResult'),
      icon: <FileText {...icon} />,
      disabled: result === undefined ? t('tools.noResult') : undefined,
      onSelect: () => copy(result ?? '', t('tools.resultCopied')),
    },
    'separator',
    ...showItems(call, gone, t),
    ...(terminalId === undefined
      ? []
      : [
          {
            label: t('tools.showTerminal'),
            icon: <SquareTerminal {...icon} />,
            onSelect: () => showTerminal(terminalId),
          },
        ]),
    ...undoItems(threadId, call, gone, t),
    {
      label: t('chat.forkStep'),
      icon: <GitFork {...icon} />,
      disabled: step === undefined ? t('chat.insideSubAgent') : undefined,
      onSelect: () => step && void forkAt(threadId, step, t),
    },
  ];
}

const SHOWS: ReadonlySet<ToolCall['display']> = new Set(['read', 'write', 'edit']);
const CHANGES: ReadonlySet<ToolCall['display']> = new Set(['write', 'edit', 'delete', 'command']);

function showItems(call: ToolCall, gone: string | undefined, t: Translate): MenuItem[] {
  const file = fileOf(call);
  if (file === undefined && !SHOWS.has(call.display)) return [];
  const whyNot = call.savedAt === undefined ? gone : undefined;
  return [
    {
      label: t(call.savedAt === undefined ? 'tools.openFile' : 'tools.openResult'),
      icon: <FileSearch2 {...icon} />,
      disabled: file === undefined ? whyUnfinished(call, t) : whyNot,
      onSelect: () => file !== undefined && openFile(file, lineOf(call)),
    },
  ];
}

/** For a memory its last change, for files what the call changed. */
function undoItems(threadId: ThreadId, call: ToolCall, gone: string | undefined, t: Translate): MenuItem[] {
  const { callId, memory } = call;
  if (memory === undefined && !CHANGES.has(call.display)) return [];
  const undone = memory?.undone === true ? t('tools.undone') : undefined;
  return [
    {
      label: t('tools.undoCall'),
      icon: <Undo2 {...icon} />,
      disabled: whyUnchanged(call, t) ?? (memory === undefined ? gone : undone),
      onSelect: () =>
        memory === undefined
          ? revert(threadId, { kind: 'call', callId })
          : void ask('memories.undo', { threadId, callId }).then(
              (answer) => !answer.ok && toast(answer.error.message),
            ),
    },
  ];
}

const whyUnfinished = (call: ToolCall, t: Translate): string =>
  t(isOver(call) ? 'tools.notDone' : 'tools.notOver');

/** A command that failed may have changed files before. */
function whyUnchanged(call: ToolCall, t: Translate): string | undefined {
  if (!isOver(call)) return t('tools.notOver');
  const mayHave = call.status === 'done' || (call.display === 'command' && call.startedAt !== undefined);
  return mayHave && call.status !== 'rejected' && call.refused === undefined ? undefined : t('tools.notDone');
}

const isOver = ({ status }: ToolCall) => !['pending', 'running', 'waiting'].includes(status);
