import type { ReactNode } from 'react';
import { useT } from '../i18n';
import { Button, ErrorNote } from '../ui';
import { ErrorBoundary } from './error-boundary';

/** A part of the window that can fail without affecting the others. */
export const Part = ({ children }: { children: ReactNode }) => {
  const t = useT();
  return (
    <ErrorBoundary
      fallback={(error, retry) => (
        <div className="p-4">
          <ErrorNote
            message={t('app.crashed')}
            detail={error.stack ?? error.message}
            actions={<Button onClick={retry}>{t('app.tryAgain')}</Button>}
          />
        </div>
      )}
    >
      {children}
    </ErrorBoundary>
  );
};
