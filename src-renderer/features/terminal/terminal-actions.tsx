import type { TerminalInfo } from '@contract/app';
import type { TerminalId } from '@contract/ids';
import { optional } from '@contract/shared/optional';
import type { Reasons } from '@contract/shared/reasons';
import { ClipboardCopy, Copy, MessageSquarePlus, Pencil, RotateCw, Search, Square, X } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { useReasons, useT } from '../../i18n';
import { call, toast } from '../../link';
import { Button, IconButton, useCopy } from '../../ui';
import type { Attempt } from './attempts';
import { BlocksButton } from './blocks-button';
import { RerunQuestion } from './questions';
import type { TerminalHandle } from './terminal-screen';
import { toMessage } from './to-message';

interface TerminalActionsProps {
  terminal: TerminalInfo;
  screen: RefObject<TerminalHandle | null>;
  onSelect(terminalId: TerminalId): void;
  onRename(): void;
  onClose(): void;
  /** Starts the person's shell again. */
  onRestart(): void;
  attempt: Attempt;
}

const look = { size: 16 } as const;

/** The actions for a command or a terminal. */
export const TerminalActions = ({ terminal, screen, ...on }: TerminalActionsProps) => {
  const t = useT();
  const reasons = useReasons();
  const [asked, setAsked] = useState<{ reason: Reasons; digest: string }>();
  const { id: terminalId, kind, command, machine } = terminal;
  const isRunning = terminal.status === 'running';

  const runAgain = (confirmed?: string) => {
    setAsked(undefined);
    return on.attempt(async () => {
      const result = await call('terminal.rerun', { terminalId, ...optional({ confirmed }) });
      if (!result.ok) return result;
      const { value } = result;
      if (value.status === 'started') on.onSelect(value.terminal.id);
      else if (value.status === 'ask') setAsked(value);
      else
        return {
          ok: false,
          error: {
            kind: 'denied',
            message: t('terminal.runAgainDenied', { reason: reasons.sentences(value.reason) }),
          },
        };
      return result;
    });
  };

  return (
    <>
      {kind === 'person' && !isRunning && (
        <Button size="sm" icon={<RotateCw size={12} />} onClick={on.onRestart}>
          {t('terminal.startAgain')}
        </Button>
      )}
      {terminal.marks !== undefined && <Blocks screen={screen} />}
      <IconButton
        size="sm"
        label={t('terminal.find')}
        shortcut="Ctrl+Shift+F"
        icon={<Search {...look} />}
        onClick={() => screen.current?.openFind()}
      />
      <IconButton
        size="sm"
        label={t('files.addToMessage')}
        icon={<MessageSquarePlus {...look} />}
        onClick={() => void on.attempt(() => toMessage(terminal, screen.current?.selection() ?? '', t))}
      />
      {kind === 'agent' ? (
        <CopyButtons terminal={terminal} attempt={on.attempt} />
      ) : (
        <IconButton
          size="sm"
          label={t('terminal.rename')}
          shortcut="F2"
          icon={<Pencil {...look} />}
          onClick={on.onRename}
        />
      )}
      {kind === 'agent' && !isRunning && machine === undefined && (
        <IconButton
          size="sm"
          label={t('terminal.runAgain')}
          icon={<RotateCw {...look} />}
          onClick={() => void runAgain()}
        />
      )}
      {kind === 'agent' && isRunning ? (
        <Button
          size="sm"
          icon={<Square size={12} />}
          onClick={() => void on.attempt(() => call('terminal.kill', { terminalId }))}
        >
          {t('terminal.stop')}
        </Button>
      ) : (
        <IconButton size="sm" label={t('terminal.close')} icon={<X {...look} />} onClick={on.onClose} />
      )}
      {asked !== undefined && (
        <RerunQuestion
          command={command}
          reason={asked.reason}
          onRun={() => void runAgain(asked.digest)}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </>
  );
};

/** Copy the command, or its output. */
const CopyButtons = ({ terminal, attempt }: Pick<TerminalActionsProps, 'terminal' | 'attempt'>) => {
  const t = useT();
  const { copy, copyOutput } = useCopying(terminal.id, attempt);
  return (
    <>
      <IconButton
        size="sm"
        label={t('terminal.copyCommand')}
        icon={<Copy {...look} />}
        onClick={() => copy(terminal.command, t('terminal.copied'))}
      />
      <IconButton
        size="sm"
        label={t('terminal.copyOutput')}
        icon={<ClipboardCopy {...look} />}
        onClick={() => void copyOutput()}
      />
    </>
  );
};

/** Copies text, and the output of a command. */
function useCopying(terminalId: TerminalId, attempt: Attempt) {
  const t = useT();
  const copy = useCopy();
  const copyOutput = () =>
    attempt(async () => {
      const result = await call('terminal.text', { terminalId });
      if (!result.ok) return result;
      const { text } = result.value;
      if (text.trim() === '') toast(t('terminal.nothingPrinted'));
      else copy(text, t('terminal.outputCopied'));
      return result;
    });
  return { copy, copyOutput };
}

/** The commands of the person's shell. */
const Blocks = ({ screen }: Pick<TerminalActionsProps, 'screen'>) => (
  <BlocksButton
    blocks={() => screen.current?.blocks() ?? []}
    canRun={() => screen.current?.canRun() ?? false}
    onShow={(block) => screen.current?.act.show(block)}
    onCopyCommand={(block) => screen.current?.act.copyCommand(block)}
    onCopyOutput={(block) => screen.current?.act.copyOutput(block)}
    onToMessage={(block) => screen.current?.act.toMessage(block)}
    onRun={(block) => screen.current?.act.run(block)}
  />
);
