import type { AppError } from '@contract/result';
import { useErrorWords, useT } from '../../i18n';
import { Button, ErrorNote } from '../../ui';

interface ConnectErrorProps {
  error: AppError;
  onTrust(fingerprint: string): void;
}

/** Why a place cannot be connected. The key of an unknown computer can be trusted. */
export const ConnectError = ({ error, onTrust }: ConnectErrorProps) => {
  const t = useT();
  const errorWords = useErrorWords();
  const { message, detail } = errorWords(error);
  const fingerprint = error.values?.fingerprint;
  const isNew = typeof fingerprint === 'string';
  return (
    <ErrorNote
      tone={isNew ? 'ask' : 'deny'}
      message={message}
      detail={detail}
      {...(isNew
        ? {
            actions: (
              <Button size="sm" onClick={() => onTrust(fingerprint)}>
                {t('places.trust')}
              </Button>
            ),
          }
        : {})}
    />
  );
};
