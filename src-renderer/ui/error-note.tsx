import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx';
import { useWords } from './words';

interface ErrorNoteProps {
  /** What happened, what is safe, and what to do next. */
  message: string;
  /** The raw error text, collapsed. */
  detail?: string | undefined;
  /** Buttons for the next steps. */
  actions?: ReactNode;
  tone?: 'deny' | 'ask';
}

/** An error, shown where it happened. */
export const ErrorNote = ({ message, detail, actions, tone = 'deny' }: ErrorNoteProps) => {
  const words = useWords();
  return (
    <div
      role="alert"
      className={cx(
        'flex gap-2.5 rounded-card border px-3 py-2.5',
        tone === 'deny' ? 'border-deny/35 bg-deny-soft' : 'border-ask/50 bg-ask-soft',
      )}
    >
      <TriangleAlert
        aria-hidden
        size={16}
        className={cx('mt-0.5 shrink-0', tone === 'deny' ? 'text-deny' : 'text-ask-text')}
      />
      <div className="min-w-0 grow">
        <p className="break-words whitespace-pre-wrap">{message}</p>
        {detail !== undefined && detail !== '' && (
          <details className="mt-1.5 text-small text-fg-2">
            <summary className="w-fit rounded-control">{words.details}</summary>
            <pre className="mt-1.5 max-h-48 overflow-auto rounded-control bg-sunken p-2 font-mono whitespace-pre-wrap break-words">
              {detail}
            </pre>
          </details>
        )}
        {actions !== undefined && <div className="mt-2.5 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
};
