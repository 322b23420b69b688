import type { Output } from '@contract/commands';
import type { ProjectId } from '@contract/ids';
import { useEffect, useState } from 'react';
import { useT } from '../../i18n';
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
  if (found.reason === null) return <p className="text-small text-fg-3">{t('rehearsal.isHere')}</p>;
  return (
    <p className="text-small text-fg-3">
      {t('rehearsal.isMissing')} {t(`rehearsal.${found.reason}`)}
      {found.detail !== undefined && <code className="block break-words font-mono">{found.detail}</code>}
    </p>
  );
};
