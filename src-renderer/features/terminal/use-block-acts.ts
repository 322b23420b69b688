import { useT } from '../../i18n';
import { addToMessage, toast } from '../../link';
import { useCopy } from '../../ui';
import type { Block } from './blocks';
import { quoteOf } from './status';
import type { TerminalView } from './xterm-view';

/** The actions for a command of the person's shell. */
export interface BlockActs {
  show(block: Block): void;
  copyCommand(block: Block): void;
  copyOutput(block: Block): void;
  toMessage(block: Block): void;
  run(block: Block): void;
}

/** Runs the actions for a terminal's commands. `focusLater`: returns the focus to the terminal after a dialog. */
export function useBlockActs(view: TerminalView | undefined, focusLater: () => void) {
  const t = useT();
  const copy = useCopy();
  const act: BlockActs = {
    show: (block) => view?.showBlock(block),
    copyCommand: ({ command }) => copy(command, t('terminal.copied')),
    copyOutput: (block) => {
      const text = view?.outputOf(block) ?? '';
      if (text === '') toast(t('terminal.nothingPrinted'));
      else copy(text, t('terminal.outputCopied'));
    },
    toMessage: (block) =>
      addToMessage(quoteOf(block.command, view?.outputOf(block) ?? '', t('terminal.outputLeftOut'))),
    run: ({ command }) => {
      view?.run(command);
      focusLater();
    },
  };
  return act;
}
