import type { ToolCall } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { GitFork } from 'lucide-react';
import { useMemo } from 'react';
import { useReasons, useT } from '../../../i18n';
import { Button, Diff, ExactText } from '../../../ui';
import { changeOf } from './call-change';
import { RunningOutput } from './running-output';
import { SandboxNote } from './sandbox-note';

/** Arguments and result of a call, verbatim. */
export const CallDetails = ({
  threadId,
  call,
  onFork,
}: {
  threadId: ThreadId;
  call: ToolCall;
  onFork?: () => void;
}) => {
  const t = useT();
  const reasons = useReasons();
  const hunks = useMemo(() => changeOf(call), [call]);
  return (
    <div className="mt-1 mb-2 ml-6 overflow-hidden rounded-card border border-line">
      {hunks ? (
        <Diff hunks={hunks} label={t('tools.changes')} maxHeight={320} numbers={false} />
      ) : (
        <Section label={t('tools.arguments')}>
          <Arguments args={call.args} />
        </Section>
      )}
      {call.unasked !== undefined && (
        <p className="border-t border-line bg-sunken px-3 py-1 text-small text-fg-2">
          {t('approvals.ranWithoutAsking', { reason: reasons.sentences(call.unasked.reason) })}
        </p>
      )}
      {call.rehearsal !== undefined && call.rehearsal.state !== 'ran' && call.unasked === undefined && (
        <p className="border-t border-line bg-sunken px-3 py-1 text-small text-fg-2">
          {t('terminal.endedInLayer')}
        </p>
      )}
      {call.sandbox !== undefined && <SandboxNote threadId={threadId} sandbox={call.sandbox} />}
      <div className="border-t border-line">
        <Section label={t('tools.result')}>
          {call.result === undefined && call.terminalId !== undefined && call.status === 'running' ? (
            <RunningOutput terminalId={call.terminalId} />
          ) : call.result === undefined ? (
            <p className="text-fg-3">{t('tools.noResult')}</p>
          ) : (
            <pre
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
              tabIndex={0}
              className="max-h-72 overflow-auto font-mono text-code break-words whitespace-pre-wrap"
            >
              {call.result}
            </pre>
          )}
        </Section>
      </div>
      {onFork !== undefined && (
        <div className="flex justify-end border-t border-line bg-sunken px-1.5 py-1">
          <Button size="sm" variant="ghost" icon={<GitFork aria-hidden size={14} />} onClick={onFork}>
            {t('chat.forkStep')}
          </Button>
        </div>
      )}
    </div>
  );
};

const Section = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <section className="bg-sunken px-3 py-2">
    <h4 className="mb-0.5 text-small text-fg-3">{label}</h4>
    {children}
  </section>
);

const Arguments = ({ args }: { args: Record<string, unknown> }) => (
  <dl className="grid max-h-72 grid-cols-[auto_1fr] gap-x-3 overflow-auto font-mono text-code">
    {Object.entries(args).map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="text-fg-3">{name}</dt>
        <dd className="min-w-0 break-words whitespace-pre-wrap select-text">
          <ExactText text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
        </dd>
      </div>
    ))}
  </dl>
);
