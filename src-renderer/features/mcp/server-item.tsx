import type { ProjectId } from '@contract/ids';
import type { McpServer, McpState, McpTool } from '@contract/mcp';
import type { Answer } from '@contract/result';
import {
  CircleCheck,
  CircleDashed,
  CircleOff,
  CircleX,
  Hand,
  KeyRound,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react';
import { type Ref, useState } from 'react';
import { useReasons, useT } from '../../i18n';
import { call, toast } from '../../link';
import { Badge, Button, ErrorNote, ExactText, MoreMenu, useFormFocus } from '../../ui';
import { Consent } from './consent';
import { ServerForm } from './server-form';
import { SignIn } from './sign-in';

interface ServerItemProps {
  server: McpServer;
  projectId: ProjectId | null;
  /** It was removed. Only its open form is shown then, with what the person typed. */
  isGone: boolean;
  isEditing: boolean;
  onEditing(isEditing: boolean): void;
  /** Called after a change that no event may report. */
  onChanged(): void;
}

/** One server: its state, its tools, and its actions. */
export const ServerItem = (props: ServerItemProps) => {
  const { server, projectId, isGone, isEditing, onEditing, onChanged } = props;
  const t = useT();
  const [isRemoving, setRemoving] = useState(false);
  const focus = useFormFocus(isEditing || isRemoving);
  const [moving, setMoving] = useState(false);
  const [error, setError] = useState<string>();
  const { id, name, state, setup, scope, tools, leftOut } = server;
  const ref = { projectId: scope === 'project' ? projectId : null, id };
  const done = (result: Answer<unknown>) => {
    // A declined question of the system is the person's own choice, not an error.
    setError(result.ok || result.error.kind === 'cancelled' ? undefined : result.error.message);
    if (result.ok) onChanged();
    return result.ok;
  };
  const remove = async () => {
    if (done(await call('mcp.remove', { name }))) toast(t('mcp.removed'));
  };
  const move = async () => {
    setMoving(true);
    const moved = done(await call('mcp.keepSecrets', { name }));
    setMoving(false);
    if (moved) toast(t('mcp.secretsKept'));
  };
  const allow = async (allowed: boolean) =>
    void done(await call('mcp.consent', { ...ref, digest: server.digest, allowed }));

  return (
    <li aria-label={name} className="flex flex-col gap-2 border-b border-line py-3 first:pt-0">
      {!isGone && (
        <>
          <Heading server={server} />
          <StateFault server={server} />
          {error !== undefined && <ErrorNote message={error} />}
          {state.phase === 'consent' && setup !== null && (
            <Consent server={server} setup={setup} onAllow={() => void allow(true)} />
          )}
          {(state.phase === 'signIn' || state.phase === 'signingIn') && (
            <SignIn state={state} serverRef={ref} onResult={done} />
          )}
          {setup !== null && setup.readable > 0 && !isEditing && !isRemoving && (
            <ErrorNote
              tone="ask"
              message={t('mcp.readable', { count: setup.readable, file: server.source })}
              actions={
                <Button size="sm" busy={moving} onClick={() => void move()}>
                  {t('mcp.keepSecrets', { count: setup.readable })}
                </Button>
              }
            />
          )}
          {tools.length > 0 && <Tools tools={tools} />}
          {leftOut.length > 0 && <LeftOut tools={leftOut} />}
        </>
      )}
      {isEditing && (
        <div ref={focus.form}>
          <ServerForm
            server={server}
            isGone={isGone}
            onDone={() => {
              onEditing(false);
              onChanged();
            }}
            onCancel={() => onEditing(false)}
          />
        </div>
      )}
      {isRemoving && !isEditing && (
        <div ref={focus.form}>
          <RemoveQuestion name={name} onCancel={() => setRemoving(false)} onRemove={() => void remove()} />
        </div>
      )}
      {!isEditing && !isRemoving && (
        <Actions
          server={server}
          serverRef={ref}
          editRef={focus.opener}
          onResult={done}
          onAllow={allow}
          onEdit={() => onEditing(true)}
          onRemove={() => setRemoving(true)}
        />
      )}
    </li>
  );
};

/** Why the server cannot be used. */
const StateFault = ({ server: { state, source } }: { server: McpServer }) => {
  const t = useT();
  const reasons = useReasons();
  return (
    <>
      {state.phase === 'invalid' && (
        <ErrorNote
          message={t('app.sentences', {
            first: reasons.sentences([state.why]),
            second: t('mcp.source', { source }),
          })}
        />
      )}
      {state.phase === 'failed' && (
        <ErrorNote
          message={t('app.sentences', {
            first: reasons.sentences(state.why),
            second: t(nextStep(state), { source }),
          })}
          detail={state.lines.join('\n')}
        />
      )}
    </>
  );
};

/** What the person can do about a server that failed. */
function nextStep({ why, lines }: Extract<McpState, { phase: 'failed' }>) {
  switch (why[0]?.code) {
    case 'mcp_program_missing':
      return 'mcp.nextInstall';
    case 'mcp_exited':
    case 'mcp_killed':
    case 'mcp_program_failed':
      return lines.length === 0 ? 'mcp.nextCheckProgram' : 'mcp.nextReadOutput';
    case 'mcp_slow_start':
      return 'mcp.nextMoreTime';
    case 'mcp_unreachable':
      return 'mcp.nextCheckAddress';
    default:
      return 'mcp.nextRestart';
  }
}

/** Its name, state, address and account. */
const Heading = ({ server }: { server: McpServer }) => {
  const t = useT();
  const { name, state, setup, account } = server;
  return (
    <>
      <div className="flex items-center gap-2">
        <h4 className="min-w-0 grow font-medium break-words">
          <ExactText text={name} />
        </h4>
        <Standing state={state} />
      </div>
      {setup !== null && (
        <p
          className="selectable truncate font-mono text-code text-fg-2"
          title={t('mcp.source', { source: server.source })}
        >
          <ExactText
            text={setup.transport === 'stdio' ? [setup.command, ...setup.args].join(' ') : setup.url}
          />
        </p>
      )}
      {account !== null && isSignedIn(server) && (
        <p className="text-small text-fg-2">
          <ExactText
            text={
              account.as === null
                ? t('mcp.signedInAt', { at: account.at })
                : t('mcp.signedInAs', { at: account.at, as: account.as })
            }
          />
        </p>
      )}
    </>
  );
};

/** Tools that the agent does not get, with the reason. */
const LeftOut = ({ tools }: { tools: McpServer['leftOut'] }) => {
  const t = useT();
  const reasons = useReasons();
  return (
    <details className="text-small text-fg-2">
      <summary className="w-fit rounded-control">{t('mcp.leftOut', { count: tools.length })}</summary>
      <ul className="mt-1 flex flex-col gap-1">
        {tools.map(({ name, why }) => (
          <li key={`${name}:${why.code}`}>
            <span className="font-mono">
              <ExactText text={name} />
            </span>
            {': '}
            {reasons.sentences([why])}
          </li>
        ))}
      </ul>
    </details>
  );
};

interface RemoveQuestionProps {
  name: string;
  onCancel(): void;
  onRemove(): void;
}

const RemoveQuestion = ({ name, onCancel, onRemove }: RemoveQuestionProps) => {
  const t = useT();
  return (
    <ErrorNote
      tone="ask"
      message={t('mcp.removeAsk', { name })}
      actions={
        <>
          <Button size="sm" onClick={onCancel}>
            {t('mcp.cancel')}
          </Button>
          <Button size="sm" variant="danger" onClick={onRemove}>
            {t('mcp.remove')}
          </Button>
        </>
      }
    />
  );
};

const isSignedIn = ({ account, state }: McpServer): boolean =>
  account !== null && state.phase !== 'signIn' && state.phase !== 'signingIn';

interface ActionsProps {
  server: McpServer;
  serverRef: { projectId: ProjectId | null; id: string };
  editRef: Ref<HTMLButtonElement>;
  onResult(result: Answer<unknown>): boolean;
  onAllow(allowed: boolean): Promise<void>;
  onEdit(): void;
  onRemove(): void;
}

const Actions = ({ server, serverRef, editRef, onResult, onAllow, onEdit, onRemove }: ActionsProps) => {
  const t = useT();
  const { state, setup, scope } = server;
  const runs = state.phase === 'ready' || state.phase === 'failed' || state.phase === 'starting';
  return (
    <div className="flex flex-wrap gap-1.5">
      {(runs || state.phase === 'idle') && (
        <>
          <Button size="sm" onClick={async () => void onResult(await call('mcp.restart', serverRef))}>
            {t('mcp.restart')}
          </Button>
          <Button
            size="sm"
            onClick={async () =>
              void onResult(await call('mcp.setEnabled', { ...serverRef, enabled: false }))
            }
          >
            {t('mcp.switchOff')}
          </Button>
        </>
      )}
      {(state.phase === 'consent' || state.phase === 'signIn') && (
        <Button
          size="sm"
          onClick={async () => void onResult(await call('mcp.setEnabled', { ...serverRef, enabled: false }))}
        >
          {t('mcp.switchOff')}
        </Button>
      )}
      {state.phase === 'off' && (
        <Button
          size="sm"
          onClick={async () => void onResult(await call('mcp.setEnabled', { ...serverRef, enabled: true }))}
        >
          {t('mcp.switchOn')}
        </Button>
      )}
      {isSignedIn(server) && (
        <Button size="sm" onClick={async () => void onResult(await call('mcp.signOut', serverRef))}>
          {t('mcp.signOut')}
        </Button>
      )}
      {scope === 'person' && (
        <>
          {setup !== null && (
            <Button ref={editRef} size="sm" onClick={onEdit}>
              {t('mcp.edit')}
            </Button>
          )}
          <MoreMenu
            label={t('settings.moreFor', { name: server.name })}
            items={[{ label: t('mcp.remove'), danger: true, onSelect: onRemove }]}
          />
        </>
      )}
      {scope === 'project' && runs && (
        <MoreMenu
          label={t('settings.moreFor', { name: server.name })}
          items={[{ label: t('mcp.withdraw'), danger: true, onSelect: () => void onAllow(false) }]}
        />
      )}
    </div>
  );
};

const looks: Record<
  McpState['phase'],
  { icon: LucideIcon; tone: 'neutral' | 'accent' | 'ok' | 'ask' | 'deny' }
> = {
  off: { icon: CircleOff, tone: 'neutral' },
  consent: { icon: Hand, tone: 'ask' },
  invalid: { icon: CircleX, tone: 'deny' },
  idle: { icon: CircleDashed, tone: 'neutral' },
  starting: { icon: LoaderCircle, tone: 'accent' },
  signIn: { icon: KeyRound, tone: 'ask' },
  signingIn: { icon: LoaderCircle, tone: 'accent' },
  ready: { icon: CircleCheck, tone: 'ok' },
  failed: { icon: CircleX, tone: 'deny' },
};

const Standing = ({ state }: { state: McpState }) => {
  const t = useT();
  const { icon: Icon, tone } = looks[state.phase];
  return (
    <span role="status">
      <Badge tone={tone} icon={<Icon aria-hidden size={12} />}>
        {t(`mcp.${state.phase}`)}
      </Badge>
    </span>
  );
};

const Tools = ({ tools }: { tools: readonly McpTool[] }) => {
  const t = useT();
  return (
    <details className="text-small">
      <summary className="w-fit rounded-control text-fg-2">{t('mcp.tools', { count: tools.length })}</summary>
      <ul className="mt-1.5 flex max-h-72 flex-col gap-1.5 overflow-auto">
        {tools.map((tool) => (
          <li key={tool.name} className="flex flex-col">
            <span className="flex items-center gap-1.5">
              <span className="selectable font-mono">{tool.name}</span>
              {tool.saysReadOnly && <Badge>{t('mcp.saysReadOnly')}</Badge>}
              {tool.saysDestructive && <Badge tone="ask">{t('mcp.saysDestructive')}</Badge>}
            </span>
            <span className="line-clamp-3 text-fg-2">
              {tool.description === '' ? t('mcp.noDescription') : <ExactText text={tool.description} />}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
};
