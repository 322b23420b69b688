import type { Project } from '@contract/app';
import { FolderSearch, FolderX, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { useErrorWords, useT } from '../../i18n';
import { call, openSettings, placesIn, usePlaces } from '../../link';
import { Button, ErrorNote, useBusy } from '../../ui';
import { lookForFolder, reattachProject } from './actions';

/** Milliseconds between two checks for the folder, for example on a drive that is plugged in again. */
const LOOK_EVERY = 2_000;

/** Says in the conversation that the folder is missing, and what to do. */
export const MissingFolder = ({ project }: { project: Project }) => {
  const t = useT();
  if (project.remote !== undefined) return <Offline project={project} machine={project.remote.machine} />;
  if (project.copy?.gone !== true) return <Missing project={project} />;
  return <p className="mx-auto w-full max-w-talk shrink-0 px-5 pt-3 text-fg-2">{t('copies.goneHint')}</p>;
};

/** The computer of a remote project does not answer, or does not let us in. */
const Offline = ({ project, machine }: { project: Project; machine: string }) => {
  const t = useT();
  const errorWords = useErrorWords();
  const [busy, during] = useBusy();
  const { list } = usePlaces(project.id);
  const state = placesIn(list).find((one) => one.isProject)?.state;
  const why = state?.error == null ? undefined : errorWords(state.error);
  const isConnecting = state?.phase === 'connecting';
  const { id: projectId } = project;
  const isUntried = state?.phase === 'unused';
  // It was gone when Deepdesk ended, which says nothing about now.
  useEffect(() => {
    if (isUntried) void call('project.look', { projectId });
  }, [isUntried, projectId]);
  return (
    <div className="mx-auto w-full max-w-talk shrink-0 px-5 pt-3">
      <ErrorNote
        tone="ask"
        message={t('app.sentences', {
          first: why?.message ?? t('sidebar.machineGone', { machine }),
          second: t('sidebar.projectWaits'),
        })}
        detail={why?.detail}
        actions={
          <>
            <Button
              size="sm"
              busy={busy || isConnecting}
              onClick={() => void during(lookForFolder(project, t))}
            >
              {t('places.tryAgain')}
            </Button>
            <Button size="sm" variant="ghost" onClick={() => openSettings('places')}>
              {t('sidebar.connection')}
            </Button>
          </>
        }
      />
    </div>
  );
};

/** Checks for the folder while it is shown. */
const Missing = ({ project }: { project: Project }) => {
  const t = useT();
  const { id: projectId } = project;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isGone = false;
    const later = () => {
      if (isGone) return;
      timer = setTimeout(look, LOOK_EVERY);
    };
    // One check at a time: a drive that is starting up may respond slowly.
    const look = () => {
      if (document.hidden) later();
      else void call('project.look', { projectId }).then(later);
    };
    later();
    return () => {
      clearTimeout(timer);
      isGone = true;
    };
  }, [projectId]);
  const title = project.replaced === true ? 'sidebar.folderReplaced' : 'sidebar.folderGone';
  return (
    // Aligned with the messages and the composer.
    <div className="mx-auto w-full max-w-talk shrink-0 px-5 pt-3">
      <section
        role="alert"
        aria-label={t(title)}
        className="flex flex-wrap items-start gap-x-3 gap-y-2 rounded-card border border-line bg-raised p-3"
      >
        <FolderX aria-hidden size={16} className="mt-0.5 shrink-0 text-deny" />
        <div className="min-w-48 flex-1">
          <h2 className="font-semibold">{t(title)}</h2>
          <p className="selectable mt-0.5 font-mono text-small text-fg-2 [overflow-wrap:anywhere]">
            {project.folder}
          </p>
          <p className="mt-1 text-fg-2">
            {t(project.replaced === true ? 'sidebar.folderReplacedHint' : 'sidebar.folderGoneHint')}
          </p>
        </div>
        <div className="flex basis-full flex-wrap gap-2 pl-7.5">
          <Button icon={<RefreshCw aria-hidden size={14} />} onClick={() => void lookForFolder(project, t)}>
            {t('sidebar.lookAgain')}
          </Button>
          {/* A private copy cannot be in another location. */}
          {project.copy === undefined && (
            <Button
              variant="primary"
              icon={<FolderSearch aria-hidden size={14} />}
              onClick={() => void reattachProject(project, t)}
            >
              {t('sidebar.reattach')}
            </Button>
          )}
        </div>
      </section>
    </div>
  );
};
