import type { Project } from '@contract/app';
import { FolderSearch, FolderX, RefreshCw } from 'lucide-react';
import { useT } from '../../i18n';
import { Button } from '../../ui';
import { lookForFolder, reattachProject } from './actions';

/** Says, where the conversation stands, that its folder is not there, and what can be done. */
export const MissingFolder = ({ project }: { project: Project }) => {
  const t = useT();
  return (
    // In line with the messages and the composer.
    <div className="mx-auto w-full max-w-talk shrink-0 px-5 pt-3">
      <section
        role="alert"
        aria-label={t('sidebar.folderGone')}
        className="flex flex-wrap items-start gap-x-3 gap-y-2 rounded-card border border-line bg-raised p-3"
      >
        <FolderX aria-hidden size={16} className="mt-0.5 shrink-0 text-deny" />
        <div className="min-w-48 flex-1">
          <h2 className="font-semibold">{t('sidebar.folderGone')}</h2>
          <p className="selectable mt-0.5 font-mono text-small text-fg-2 [overflow-wrap:anywhere]">
            {project.folder}
          </p>
          <p className="mt-1 text-fg-2">{t('sidebar.folderGoneHint')}</p>
        </div>
        <div className="flex basis-full flex-wrap gap-2 pl-7.5">
          <Button icon={<RefreshCw aria-hidden size={14} />} onClick={() => void lookForFolder(project, t)}>
            {t('sidebar.lookAgain')}
          </Button>
          <Button
            variant="primary"
            icon={<FolderSearch aria-hidden size={14} />}
            onClick={() => void reattachProject(project, t)}
          >
            {t('sidebar.reattach')}
          </Button>
        </div>
      </section>
    </div>
  );
};
