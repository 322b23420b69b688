import type { Preview } from '@contract/conversation';
import { useT } from '../../i18n';
import { Diff, ErrorNote, ExactText } from '../../ui';
import { shownPath } from './heading';

/** Files below a folder are counted up to this; see the contract. */
const COUNT_LIMIT = 10_000;

/** The exact thing that a decision is about. */
export const PreviewView = ({ preview, mount }: { preview: Preview; mount: string }) => {
  const t = useT();
  switch (preview.kind) {
    case 'command': {
      const lines = preview.command.split('\n').length;
      return (
        <div>
          <Exact label={t('approvals.commandLabel')} text={preview.command} />
          <p className="flex flex-wrap gap-x-3 border-t border-line bg-sunken px-3 py-1 text-small text-fg-2">
            <span className="min-w-0 break-all">
              {t('approvals.in')}{' '}
              <code className="font-mono">
                <ExactText text={preview.cwd} />
              </code>
            </span>
            {lines > 1 && <span>{t('approvals.lines', { count: lines })}</span>}
            <span>
              {preview.timeoutSeconds === null
                ? t('approvals.noTimeout')
                : t('approvals.timeout', { seconds: preview.timeoutSeconds })}
            </span>
          </p>
        </div>
      );
    }
    case 'diff':
      return (
        <div>
          <Diff
            hunks={preview.hunks}
            maxHeight={360}
            label={t(preview.isNew ? 'approvals.newText' : 'approvals.diffLabel', {
              path: shownPath(preview.path, mount),
            })}
          />
          {preview.cut && (
            <p className="border-t border-line px-3 py-1 text-small text-ask-text">{t('approvals.cut')}</p>
          )}
        </div>
      );
    case 'delete':
      return (
        <div className="bg-sunken px-3 py-2">
          <code className="font-mono text-[0.78125rem] break-all">
            <ExactText text={preview.path} />
          </code>
          {preview.files !== undefined && (
            <span className="ml-3 text-fg-2">
              {preview.files >= COUNT_LIMIT
                ? t('approvals.manyFiles', { count: COUNT_LIMIT })
                : t('approvals.filesInside', { count: preview.files })}
            </span>
          )}
        </div>
      );
    case 'arguments':
      return <Exact label={t('approvals.argumentsLabel')} text={preview.json} />;
    case 'problem':
      return (
        <div className="flex flex-col gap-2 bg-sunken p-3">
          <ErrorNote message={preview.message} />
          <Exact label={t('approvals.argumentsLabel')} text={preview.json} bare />
        </div>
      );
    default:
      return preview satisfies never;
  }
};

const Exact = ({ label, text, bare = false }: { label: string; text: string; bare?: boolean }) => (
  <section
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    tabIndex={0}
    aria-label={label}
    className={`max-h-64 overflow-auto bg-sunken -outline-offset-2 ${bare ? '' : 'px-3 py-2'}`}
  >
    <pre className="font-mono text-[0.78125rem] leading-5 break-all whitespace-pre-wrap">
      <ExactText text={text} />
    </pre>
  </section>
);
