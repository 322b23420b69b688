import type { Preview } from '@contract/approvals';
import { useT } from '../../i18n';
import { ErrorNote, ExactText } from '../../ui';
import { CommandView } from './command-view';
import { DeleteView } from './delete-view';
import { FileChange } from './file-change';
import { shownPath } from './heading';
import { QuestionView } from './questions/question-form';

/** Exactly what a decision is about. */
export const PreviewView = ({
  preview,
  mount,
  address,
  onSeen,
}: {
  preview: Preview;
  mount: string;
  /** The address of a page, if the call has no other argument. */
  address?: string | undefined;
  /** The whole command was visible. */
  onSeen(): void;
}) => {
  const t = useT();
  switch (preview.kind) {
    case 'command':
      return <CommandView preview={preview} mount={mount} onSeen={onSeen} />;
    case 'diff':
      return (
        <FileChange
          preview={preview}
          label={t(preview.isNew ? 'approvals.newText' : 'approvals.diffLabel', {
            path: shownPath(preview.path, mount),
          })}
        />
      );
    case 'delete':
      return <DeleteView preview={preview} mount={mount} />;
    case 'timeout':
      return <Exact label={t('approvals.command')} text={preview.command} />;
    case 'form':
      return <QuestionView question={preview} />;
    case 'arguments':
      return address === undefined ? (
        <Exact label={t('approvals.argumentsLabel')} text={preview.json} />
      ) : (
        <Exact label={t('approvals.fieldUrl')} text={address} />
      );
    // Their card has fields for the answers instead.
    case 'questions':
      return null;
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
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
  <section
    role="group"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
    tabIndex={0}
    aria-label={label}
    className={`max-h-64 overflow-auto bg-sunken -outline-offset-2 ${bare ? '' : 'px-3 py-2'}`}
  >
    <pre className="font-mono text-code wrap-anywhere whitespace-pre-wrap">
      <ExactText text={text} />
    </pre>
  </section>
);
