import type { ThreadId } from '@contract/ids';
import type { RedactedSecret } from '@contract/secrets';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../../i18n';
import { call, toast } from '../../../link';
import { Button, ErrorNote, ExactText, Popover } from '../../../ui';

interface RedactedNoteProps {
  threadId: ThreadId;
  /** Numbers of the secrets in one result. */
  numbers: readonly number[];
}

/** How many secrets were redacted from a result; expands to what they are and where they were. */
export const RedactedNote = ({ threadId, numbers }: RedactedNoteProps) => {
  const t = useT();
  const [secrets, setSecrets] = useState<RedactedSecret[]>();
  const [error, setError] = useState<string>();
  const words = t('secrets.redacted', { count: numbers.length });
  const load = async () => {
    const result = await call('secrets.list', { threadId });
    if (result.ok) setSecrets(result.value.secrets.filter(({ number }) => numbers.includes(number)));
    else setError(result.error.message);
  };
  return (
    <Popover
      label={words}
      align="end"
      width="26rem"
      onOpenChange={(open) => void (open && load())}
      trigger={
        <Button size="sm" variant="ghost" icon={<KeyRound aria-hidden size={14} />}>
          {words}
        </Button>
      }
    >
      <div className="flex flex-col gap-2 p-3">
        <p className="text-small text-fg-2">{t('secrets.about')}</p>
        {error !== undefined && <ErrorNote message={error} />}
        {secrets?.length === 0 && <p className="text-fg-2">{t('secrets.none')}</p>}
        <ul className="flex flex-col">
          {secrets?.map((secret) => (
            <SecretRow
              key={secret.number}
              threadId={threadId}
              secret={secret}
              onChanged={() => void load()}
            />
          ))}
        </ul>
      </div>
    </Popover>
  );
};

interface SecretRowProps {
  threadId: ThreadId;
  secret: RedactedSecret;
  onChanged(): void;
}

const SecretRow = ({ threadId, secret, onChanged }: SecretRowProps) => {
  const t = useT();
  const [value, setValue] = useState<string>();
  const { number, places, allowed, encoded } = secret;
  const bare = t(`secretKinds.${secret.kind}`);
  const kind = encoded === undefined ? bare : t('secrets.encoded', { kind: bare, form: encoded });
  const show = async () => {
    if (value !== undefined) {
      setValue(undefined);
      return;
    }
    const result = await call('secrets.show', { threadId, number });
    if (result.ok) setValue(result.value.value);
    else toast(result.error.message);
  };
  const allow = async () => {
    const result = await call('secrets.allow', { threadId, number, allowed: !allowed });
    if (result.ok) onChanged();
    else toast(result.error.message);
  };
  return (
    <li className="flex flex-col gap-1 border-t border-line py-2">
      <span>
        {kind} <span className="text-fg-3 tabular-nums">#{number}</span>
      </span>
      <ul className="text-small text-fg-3">
        {places.slice(0, 5).map(({ path, line, tool }) => {
          const name = path ?? (tool === undefined ? t('secrets.fromYou') : t('secrets.fromTool', { tool }));
          return (
            <li key={`${name} ${line ?? ''}`} className="break-words">
              {line === undefined ? name : t('secrets.place', { name, line })}
            </li>
          );
        })}
      </ul>
      {value !== undefined && (
        <pre className="max-h-40 overflow-auto rounded-control bg-sunken px-2 py-1 font-mono text-code wrap-anywhere whitespace-pre-wrap">
          <ExactText text={value} strict />
        </pre>
      )}
      {secret.kind === 'own' ? (
        <p className="text-small text-fg-2">{t('secrets.own')}</p>
      ) : (
        <span className="flex flex-wrap items-center gap-1">
          <Button
            size="sm"
            aria-label={value === undefined ? t('secrets.showLabel', { kind, number }) : t('secrets.hide')}
            onClick={() => void show()}
          >
            {t(value === undefined ? 'secrets.show' : 'secrets.hide')}
          </Button>
          <Button
            size="sm"
            variant={allowed ? 'secondary' : 'ghost'}
            aria-label={allowed ? t('secrets.forbid') : t('secrets.allowLabel', { kind, number })}
            onClick={() => void allow()}
          >
            {t(allowed ? 'secrets.forbid' : 'secrets.allow')}
          </Button>
          {allowed && <span className="text-small text-fg-3">{t('secrets.allowed')}</span>}
        </span>
      )}
    </li>
  );
};
