import type { ProjectId } from '@contract/ids';
import type { McpState } from '@contract/mcp';
import type { Answer } from '@contract/result';
import { useErrorWords, useT } from '../../i18n';
import { call } from '../../link';
import { Button, ErrorNote, useBusy } from '../../ui';

interface SignInProps {
  state: Extract<McpState, { phase: 'signIn' | 'signingIn' }>;
  serverRef: { projectId: ProjectId | null; id: string };
  onResult(result: Answer<unknown>): void;
}

/** Signs in to a server that requires it. The browser opens only when the person asks for it here. */
export const SignIn = ({ state, serverRef, onResult }: SignInProps) => {
  const t = useT();
  const errorWords = useErrorWords();
  const [busy, during] = useBusy();
  if (state.phase === 'signingIn') {
    return (
      <ErrorNote
        tone="ask"
        message={state.at === null ? t('mcp.signInBegins') : t('mcp.signInWaits', { at: state.at })}
        actions={
          <Button size="sm" onClick={async () => onResult(await call('mcp.cancelSignIn', serverRef))}>
            {t('mcp.signInCancel')}
          </Button>
        }
      />
    );
  }
  const begin = async () => {
    const result = await during(call('mcp.signIn', serverRef));
    // A cancel is the person's own choice, not an error.
    if (result.ok || result.error.kind !== 'cancelled') onResult(result);
  };
  const { problem } = state;
  return (
    <div className="flex flex-col items-start gap-2">
      {problem === null ? (
        <p className="text-fg-2">{t('mcp.signInAbout')}</p>
      ) : (
        <ErrorNote message={errorWords(problem).message} detail={problem.detail} />
      )}
      <Button size="sm" variant="primary" busy={busy} onClick={() => void begin()}>
        {t('mcp.signInButton')}
      </Button>
    </div>
  );
};
