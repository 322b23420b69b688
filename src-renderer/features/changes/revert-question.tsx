import { useT } from '../../i18n';
import { Button, Dialog, ExactText, useBusy } from '../../ui';
import { revertChanges, useRevertQuestion } from './revert';
import { useAuthor } from './use-author';

/** Asks before a revert removes later changes by others; names the files and the authors. */
export const RevertQuestion = () => {
  const t = useT();
  const question = useRevertQuestion((state) => state.question);
  const author = useAuthor();
  const [busy, during] = useBusy();
  const close = () => useRevertQuestion.setState({ question: null });
  const others = question?.conflicts.filter(({ reason }) => reason === 'others') ?? [];
  const go = async () => {
    if (question === null) return;
    await during(revertChanges(question.threadId, question.scope, t, { ...question.how, force: true }));
  };
  return (
    <Dialog
      open={question !== null}
      onOpenChange={(open) => !open && close()}
      title={t('changes.askTitle')}
      description={t('app.sentences', {
        first: t('changes.ask', { count: others.length }),
        second: t('changes.askNothing'),
      })}
      footer={
        <>
          <Button variant="danger" busy={busy} onClick={() => void go()}>
            {t('changes.revertAnyway')}
          </Button>
          <Button variant="primary" onClick={close}>
            {t('changes.cancel')}
          </Button>
        </>
      }
    >
      <ul className="flex flex-col gap-1.5">
        {others.map((conflict) => (
          <li key={conflict.path} className="min-w-0">
            <code className="block font-mono text-code break-all">
              <ExactText text={conflict.path} oneLine />
            </code>
            {conflict.author && <span className="text-small text-fg-2">{author(conflict.author)}</span>}
          </li>
        ))}
      </ul>
    </Dialog>
  );
};
