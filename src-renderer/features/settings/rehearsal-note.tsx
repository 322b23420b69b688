import type { Output } from '@contract/commands';
import type { ProjectId } from '@contract/ids';
import { useEffect, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { call } from '../../link';

/** Whether a project's commands run in a throwaway layer first, and if not, why. */
export const RehearsalNote = ({ projectId }: { projectId: ProjectId }) => {
  const t = useT();
  const [found, setFound] = useState<Output<'rehearsal.available'>>();
  useEffect(() => {
    let wanted = true;
    setFound(undefined);
    void call('rehearsal.available', { projectId }).then((result) => {
      if (wanted && result.ok) setFound(result.value);
    });
    return () => {
      wanted = false;
    };
  }, [projectId]);
  if (found === undefined) return null;
  if (found.reason === null) return <Here limits={found.limits} />;
  return (
    <p className="text-small text-fg-3">
      {t('app.sentences', {
        first: t('rehearsal.isMissing'),
        second: t(`rehearsal.${found.reason}`),
      })}
      {found.detail !== undefined && <code className="block break-words font-mono">{found.detail}</code>}
    </p>
  );
};

/** Commands run in layers, with these limits. */
const Here = ({ limits }: Pick<Output<'rehearsal.available'>, 'limits'>) => {
  const t = useT();
  const formats = useFormats();
  return (
    <>
      <p className="text-small text-fg-3">{t('rehearsal.isHere')}</p>
      {limits !== undefined && (
        <p className="text-small text-fg-3">
          {t('rehearsal.limits', {
            disk: formats.bytes(limits.bytes),
            files: formats.number(limits.files),
            processes: formats.number(limits.processes),
            memory: formats.bytes(limits.memory),
          })}
        </p>
      )}
    </>
  );
};
