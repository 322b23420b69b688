import type { Project } from '@contract/app';
import { useT } from '../../i18n';
import { locationOf, useApp } from '../../link';
import { Button, Dialog } from '../../ui';
import { removeProject } from './actions';

/** Says what removing a project deletes, and asks for confirmation. */
export const RemoveQuestion = ({ project, onClose }: { project: Project; onClose(): void }) => {
  const t = useT();
  const threads = useApp((app) => app.threads).filter(({ projectId }) => projectId === project.id);
  const terminals = useApp((app) => app.terminals).filter(
    ({ projectId, status }) => projectId === project.id && status === 'running',
  );
  const running = threads.filter(({ status }) => status === 'running').length;
  const facts = [
    t('sidebar.removeFolder', { folder: locationOf(project) }),
    t('sidebar.removeThreads', { count: threads.length }),
    ...(running > 0 ? [t('sidebar.removeRunning', { count: running })] : []),
    ...(threads.some(({ status }) => status === 'waiting') ? [t('sidebar.removeWaiting')] : []),
    ...(terminals.length > 0 ? [t('sidebar.removeTerminals', { count: terminals.length })] : []),
    t('sidebar.removeMemories'),
  ];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('sidebar.removeTitle', { project: project.name })}
      footer={
        <>
          <Button onClick={onClose}>{t('sidebar.keep')}</Button>
          <Button
            variant="danger"
            onClick={() => {
              onClose();
              void removeProject(project, t);
            }}
          >
            {t('sidebar.remove')}
          </Button>
        </>
      }
    >
      <ul className="flex list-disc flex-col gap-1.5 pl-4 text-fg-2 [overflow-wrap:anywhere]">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </Dialog>
  );
};
