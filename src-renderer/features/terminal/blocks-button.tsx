import {
  CircleCheck,
  CircleX,
  ClipboardCopy,
  Copy,
  ListTree,
  MessageSquarePlus,
  RotateCw,
} from 'lucide-react';
import { useId, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { IconButton, Popover, Spinner } from '../../ui';
import type { Block } from './blocks';

interface BlocksButtonProps {
  /** Newest first, at the time of the call. */
  blocks(): readonly Block[];
  canRun(): boolean;
  onShow(block: Block): void;
  onCopyCommand(block: Block): void;
  onCopyOutput(block: Block): void;
  onToMessage(block: Block): void;
  onRun(block: Block): void;
}

const look = { size: 14 } as const;

/** The commands of the person's shell in one list: show, copy, quote and run again. */
export const BlocksButton = ({ blocks, canRun, ...on }: BlocksButtonProps) => {
  const t = useT();
  const id = useId();
  const { duration } = useFormats();
  const [shown, setShown] = useState<{ list: readonly Block[]; canRun: boolean }>();
  const close = (then: (block: Block) => void) => (block: Block) => {
    setShown(undefined);
    then(block);
  };
  const [show, toMessage, run] = [close(on.onShow), close(on.onToMessage), close(on.onRun)];
  return (
    <Popover
      label={t('terminal.ownCommands')}
      align="end"
      width="26rem"
      open={shown !== undefined}
      onOpenChange={(open) => setShown(open ? { list: blocks(), canRun: canRun() } : undefined)}
      trigger={<IconButton size="sm" label={t('terminal.ownCommands')} icon={<ListTree size={16} />} />}
    >
      <h3 className="px-3 pt-2 pb-1 text-small text-fg-3">{t('terminal.ownCommands')}</h3>
      {shown?.list.length === 0 && <p className="px-3 pb-3 text-fg-2">{t('terminal.noCommands')}</p>}
      <ul className="max-h-80 overflow-y-auto pb-1">
        {shown?.list.map((block) => (
          <li key={block.id} className="flex items-center gap-0.5 pr-2 hover:bg-hover">
            <button
              type="button"
              aria-label={t('terminal.blockShow', { command: block.command })}
              aria-describedby={`${id}-${block.id}`}
              title={block.command}
              className="flex min-w-0 grow flex-col px-3 py-1.5 text-left -outline-offset-2"
              onClick={() => show(block)}
            >
              <span className="flex w-full min-w-0 items-center gap-1.5">
                <BlockIcon block={block} />
                <span className="truncate font-mono text-code">{block.command}</span>
              </span>
              <span id={`${id}-${block.id}`} className="pl-5 text-small text-fg-3 tabular-nums">
                {block.exitCode === undefined ? (
                  t('terminal.running')
                ) : block.exitCode === 0 ? (
                  t('terminal.done')
                ) : (
                  <span className="text-deny">{t('terminal.exit', { code: String(block.exitCode) })}</span>
                )}
                {block.startedAt !== undefined &&
                  block.endedAt !== undefined &&
                  ` · ${duration(Math.max(0, block.endedAt - block.startedAt))}`}
              </span>
            </button>
            <IconButton
              size="sm"
              label={t('terminal.copyCommand')}
              icon={<Copy {...look} />}
              onClick={() => on.onCopyCommand(block)}
            />
            <IconButton
              size="sm"
              label={t('terminal.copyOutput')}
              icon={<ClipboardCopy {...look} />}
              onClick={() => on.onCopyOutput(block)}
            />
            <IconButton
              size="sm"
              label={t('terminal.blockToMessage')}
              icon={<MessageSquarePlus {...look} />}
              onClick={() => toMessage(block)}
            />
            <IconButton
              size="sm"
              label={t('terminal.runAgain')}
              disabled={!shown.canRun}
              icon={<RotateCw {...look} />}
              onClick={() => run(block)}
            />
          </li>
        ))}
      </ul>
    </Popover>
  );
};

const BlockIcon = ({ block: { exitCode } }: { block: Block }) => {
  if (exitCode === undefined) return <Spinner />;
  return exitCode === 0 ? (
    <CircleCheck {...look} aria-hidden className="shrink-0 text-ok" />
  ) : (
    <CircleX {...look} aria-hidden className="shrink-0 text-deny" />
  );
};
