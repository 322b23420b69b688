import type { Attachment } from '@contract/attachments';
import type { ThreadId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';
import type { SecretKind } from '@contract/secrets';
import { KeyRound } from 'lucide-react';
import { listed, useT } from '../../../i18n';
import { call, useApp } from '../../../link';
import { Button } from '../../../ui';

/** The likely secrets in a refused text and its attached files; empty if it was refused for another reason. */
export async function secretsIn(
  threadId: ThreadId,
  text: string,
  error: ErrorInWords,
  attached: readonly Attachment[] = [],
): Promise<readonly SecretKind[]> {
  if (error.kind !== 'conflict') return [];
  const looked = await call('secrets.check', {
    threadId,
    text,
    ...(attached.length === 0 ? {} : { attached: attached.map(({ name }) => name) }),
  });
  return looked.ok ? looked.value.kinds : [];
}

interface SecretQuestionProps {
  kinds: readonly SecretKind[];
  onChoose(choice: 'send' | 'redact'): void;
}

/** Asks the person before sending a message that seems to contain a secret. */
export const SecretQuestion = ({ kinds, onChoose }: SecretQuestionProps) => {
  const t = useT();
  const names = listed(
    t,
    kinds.map((kind) => t(`secretKinds.${kind}`)),
  );
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-2 rounded-card border border-line-strong bg-raised px-3 py-2"
    >
      <KeyRound aria-hidden size={16} className="shrink-0 text-ask-text" />
      <p className="min-w-0 grow">{t('secrets.inMessage', { kinds: names })}</p>
      <Button size="sm" variant="primary" onClick={() => onChoose('redact')}>
        {t('secrets.redactAndSend')}
      </Button>
      {!kinds.includes('own') && (
        <Button size="sm" variant="ghost" onClick={() => onChoose('send')}>
          {t('secrets.sendAnyway')}
        </Button>
      )}
    </div>
  );
};

/** Says that secrets of the thread's project are not redacted, as long as this is the case. */
export const SecretsOff = ({ threadId }: { threadId: ThreadId }) => {
  const t = useT();
  const isOff = useApp((app) => {
    const thread = app.threads.find(({ id }) => id === threadId);
    return app.projects.find(({ id }) => id === thread?.projectId)?.secretsShown === true;
  });
  return isOff ? <p className="text-small text-ask-text">{t('secrets.off')}</p> : null;
};
