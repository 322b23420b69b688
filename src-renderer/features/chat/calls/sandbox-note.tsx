import type { ThreadId } from '@contract/ids';
import type { Refused, SandboxedCall } from '@contract/shared/sandbox';
import { Box } from 'lucide-react';
import { listed, useT } from '../../../i18n';
import { call, toast, useApp } from '../../../link';
import { Button, ExactText, Menu } from '../../../ui';

const words = {
  write: 'sandbox.refusedWrite',
  read: 'sandbox.refusedRead',
  network: 'sandbox.refusedNetwork',
  permission: 'sandbox.refusedPermission',
} as const;
const unnamed = {
  write: 'sandbox.somewhere',
  read: 'sandbox.something',
  network: 'sandbox.anyHost',
  permission: 'sandbox.somePermission',
} as const;

/** Says that a command ran in the sandbox and what was refused there, and can allow a host. */
export const SandboxNote = ({ threadId, sandbox }: { threadId: ThreadId; sandbox: SandboxedCall }) => {
  const t = useT();
  const { refused, made = [], changed = [], readOnly } = sandbox;
  return (
    <div className="flex items-start gap-2 border-t border-line bg-sunken px-3 py-1.5 text-small text-fg-2">
      <Box aria-hidden size={14} className="mt-0.5 shrink-0" />
      <div className="flex min-w-0 flex-col gap-1">
        <p>
          {t(
            refused.length > 0
              ? 'sandbox.refused'
              : readOnly === true
                ? 'sandbox.ranReadOnly'
                : 'sandbox.ranInside',
          )}
        </p>
        {refused.length > 0 && (
          <ul className="flex flex-col gap-0.5">
            {refused.map((one) => (
              <RefusedRow key={`${one.what} ${one.name}`} threadId={threadId} refused={one} />
            ))}
          </ul>
        )}
        {made.length > 0 && <p className="text-ask-text">{t('sandbox.made', { names: listed(t, made) })}</p>}
        {changed.length > 0 && (
          <p className="text-ask-text">{t('sandbox.changed', { names: listed(t, changed) })}</p>
        )}
      </div>
    </div>
  );
};

const RefusedRow = ({ threadId, refused: { what, name, via } }: { threadId: ThreadId; refused: Refused }) => {
  const t = useT();
  return (
    <li className="flex flex-wrap items-center gap-x-2 text-fg">
      <span className="min-w-0 wrap-anywhere">
        {t(words[what], { name: name === '' ? t(unnamed[what]) : '' })}
        {name !== '' && (
          <code className="font-mono">
            <ExactText text={name} strict />
          </code>
        )}
        {via !== undefined && `, ${t('sandbox.refusedVia', { host: via })}`}
      </span>
      {what === 'network' && name !== '' && <AllowHost threadId={threadId} host={name} />}
    </li>
  );
};

const AllowHost = ({ threadId, host }: { threadId: ThreadId; host: string }) => {
  const t = useT();
  const projectId = useApp((app) => app.threads.find((thread) => thread.id === threadId)?.projectId);
  const noHosts = useApp((app) => app.sandbox?.noHosts ?? null);
  const isKnown = useApp((app) =>
    app.rules.some(({ effect, match }) => effect === 'allow' && match.kind === 'host' && match.host === host),
  );
  if (projectId === undefined || isKnown || noHosts !== null) return null;
  const allow = async (
    scope: { kind: 'thread'; threadId: ThreadId } | { kind: 'project'; projectId: typeof projectId },
  ) => {
    const draft = { effect: 'allow' as const, match: { kind: 'host' as const, host }, scope };
    const result = await call('rules.save', { draft });
    toast(result.ok ? t('sandbox.allowed', { host }) : result.error.message);
  };
  return (
    <Menu
      trigger={
        <Button size="sm" variant="ghost">
          {t('sandbox.allowHost', { host })}
        </Button>
      }
      items={[
        { label: t('sandbox.allowInThread'), onSelect: () => void allow({ kind: 'thread', threadId }) },
        { label: t('sandbox.allowInProject'), onSelect: () => void allow({ kind: 'project', projectId }) },
      ]}
    />
  );
};
