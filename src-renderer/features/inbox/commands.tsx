import type { TerminalInfo } from '@contract/app';
import { Hand, SquareTerminal } from 'lucide-react';
import { useT } from '../../i18n';
import { openThread, showTerminal, useApp } from '../../link';
import { Button, ExactText } from '../../ui';

/** Commands of the agent that wait for the person to type. */
export const WaitingCommands = ({
  terminals,
  onClose,
}: {
  terminals: readonly TerminalInfo[];
  onClose(): void;
}) => {
  const t = useT();
  if (terminals.length === 0) return null;
  return (
    <ul aria-label={t('inbox.awaitsInput')} className="shrink-0">
      {terminals.map((terminal) => (
        <WaitingCommand key={terminal.id} terminal={terminal} onClose={onClose} />
      ))}
    </ul>
  );
};

const WaitingCommand = ({ terminal, onClose }: { terminal: TerminalInfo; onClose(): void }) => {
  const t = useT();
  const { id, threadId, projectId, command } = terminal;
  const project = useApp((app) => app.projects.find((one) => one.id === projectId)?.name);
  const title = useApp((app) => app.threads.find((one) => one.id === threadId)?.title);
  return (
    <li className="flex items-start gap-2 border-b border-line px-4 py-2">
      <Hand aria-hidden size={16} className="mt-0.5 shrink-0 text-ask-text" />
      <span className="flex min-w-0 grow flex-col">
        <span className="font-medium">{t('inbox.awaitsInput')}</span>
        <span className="truncate font-mono text-code text-fg-2" title={command}>
          <ExactText text={command} strict />
        </span>
        <span className="truncate text-small text-fg-3">
          {t('inbox.where', { project: project ?? '?', thread: title || t('sidebar.untitled') })}
        </span>
      </span>
      <Button
        size="sm"
        icon={<SquareTerminal size={14} />}
        onClick={() => {
          onClose();
          if (threadId !== null) openThread(threadId);
          showTerminal(id);
        }}
      >
        {t('inbox.showTerminal')}
      </Button>
    </li>
  );
};
