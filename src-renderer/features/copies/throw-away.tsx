import type { Project } from '@contract/app';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n';
import { call, noteRemoval, toast } from '../../link';
import { Button, Dialog, useBusy } from '../../ui';

/** Removes the copy. Asks first if it has changes that the folder lacks. */
export const ThrowAway = ({ project }: { project: Project }) => {
  const t = useT();
  const [question, setQuestion] = useState<{ files: number | null }>();
  const [busy, during] = useBusy();
  const go = async (force: boolean) => {
    noteRemoval(project.id);
    const result = await during(call('copies.throwAway', { projectId: project.id, force }));
    if (!result.ok) toast(result.error.message);
    else if (result.value.status === 'asks') setQuestion({ files: result.value.files });
    else setQuestion(undefined);
  };
  return (
    <>
      <Button size="sm" busy={busy} icon={<Trash2 aria-hidden size={14} />} onClick={() => void go(false)}>
        {t('copies.throwAway')}
      </Button>
      <Dialog
        open={question !== undefined}
        onOpenChange={(open) => !open && setQuestion(undefined)}
        title={t('copies.throwTitle')}
        description={
          question?.files == null
            ? t('copies.throwUnknown')
            : t('copies.throwText', { count: question.files })
        }
        footer={
          <>
            <Button variant="danger" busy={busy} onClick={() => void go(true)}>
              {t('copies.throwAway')}
            </Button>
            <Button variant="primary" onClick={() => setQuestion(undefined)}>
              {t('copies.keep')}
            </Button>
          </>
        }
      />
    </>
  );
};
