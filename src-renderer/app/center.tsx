import type { Project } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import { FolderPlus, MessageSquareText } from 'lucide-react';
import { useMemo } from 'react';
import {
  ApprovalCard,
  ApprovalDeck,
  focusApproval,
  ModeChoice,
  ModeOffer,
  useLostInput,
} from '../features/approvals';
import { Conversation } from '../features/chat';
import { CopyStart } from '../features/copies';
import { Start, useEndOfFirstRun } from '../features/onboarding';
import { ModelPicker } from '../features/settings';
import { MissingFolder } from '../features/sidebar';
import { SinceStrip } from '../features/since';
import { useT } from '../i18n';
import { addRemoteFolder, call, reopenThread, toast, useApp, useThread, useThreadError } from '../link';
import { Button, EmptyState, LoadFailed, Skeleton } from '../ui';
import { startedInCopy } from './begin-thread';
import { selectProject } from './ui-store';

interface CenterProps {
  project: Project | undefined;
  threadId: ThreadId | null;
  onNewThread(): void;
  stopKeys: string;
  /** False: only the composer is rendered yet. */
  isWhole: boolean;
}

/** Shows the system's folder dialog and opens the chosen folder. */
async function chooseFolder(): Promise<void> {
  const result = await call('project.choose', {});
  if (!result.ok) toast(result.error.message);
  else if (result.value.project) selectProject(result.value.project.id, null);
}

/** Uses a model in this thread and in new ones. */
async function adoptModel(threadId: ThreadId, model: string): Promise<void> {
  for (const result of [
    await call('settings.change', { model }),
    await call('thread.setModel', { threadId, model }),
  ])
    if (!result.ok) toast(result.error.message);
}

/** The conversation, or the first steps toward one. */
export const Center = ({ project, threadId, onNewThread, stopKeys, isWhole }: CenterProps) => {
  const thread = useThread(threadId);
  const t = useT();
  const error = useThreadError(threadId);
  const isBlank = thread !== undefined && thread.messages.length === 0 && thread.earlier === undefined;
  useLostInput(thread);
  useEndOfFirstRun(thread !== undefined && thread.messages.length > 0);
  const picker = useMemo(
    () =>
      threadId !== null &&
      isWhole && (
        <>
          <ModelPicker threadId={threadId} />
          {isBlank && project !== undefined && (
            <CopyStart
              project={project}
              onStarted={(started) => startedInCopy(threadId, project.id, started)}
            />
          )}
        </>
      ),
    [threadId, isWhole, isBlank, project],
  );
  const mac = useApp((app) => app.platform === 'darwin');
  if (!project) return <NoProject />;
  if (threadId === null && project.missing) return <MissingFolder project={project} />;
  if (threadId === null) return <NoThread onNewThread={onNewThread} />;
  if (error) {
    return (
      <div className="p-5">
        <LoadFailed
          error={{
            ...error,
            message: t('app.sentences', { first: t('app.threadFailed'), second: error.message }),
          }}
          onRetry={() => reopenThread(threadId)}
        />
      </div>
    );
  }
  if (!thread) {
    return (
      <div className="mx-auto max-w-talk p-5">
        <Skeleton lines={8} />
      </div>
    );
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      {project.missing && <MissingFolder project={project} />}
      <SinceStrip thread={thread} mount={project.mount} onShowWaiting={() => void focusApproval()} />
      <ModeOffer project={project} />
      <div className="min-h-0 grow basis-0">
        <Conversation
          thread={thread}
          stopKeys={stopKeys}
          controls={picker}
          onShowWaiting={() => void focusApproval()}
          renderApproval={(approval, onLeft) => (
            <ApprovalCard
              key={approval.id}
              approval={approval}
              mount={project.mount}
              mac={mac}
              onLeft={onLeft}
            />
          )}
          renderDeck={(approvals, onLeft) => (
            <ApprovalDeck approvals={approvals} mount={project.mount} mac={mac} onLeft={onLeft} />
          )}
          empty={({ use, fill }) =>
            !isWhole ? null : thread.earlier === undefined ? (
              <Start
                project={project}
                model={thread.thread.model}
                modelPicker={<ModelPicker threadId={threadId} />}
                modes={<ModeChoice project={project} />}
                onUse={use}
                onFill={fill}
                onChooseFolder={() => void chooseFolder()}
                onModel={(model) => void adoptModel(threadId, model)}
              />
            ) : (
              // The messages are still loading; you can type already.
              <Skeleton lines={8} />
            )
          }
        />
      </div>
    </div>
  );
};

const NoProject = () => {
  const t = useT();
  return (
    <EmptyState
      icon={<FolderPlus size={32} />}
      action={
        <>
          <Button variant="primary" onClick={() => void chooseFolder()}>
            {t('app.addFolder')}
          </Button>
          <Button variant="ghost" onClick={addRemoteFolder}>
            {t('actions.addRemoteFolder')}
          </Button>
        </>
      }
    >
      {t('app.noProject')}
    </EmptyState>
  );
};

const NoThread = ({ onNewThread }: { onNewThread(): void }) => {
  const t = useT();
  return (
    <EmptyState
      icon={<MessageSquareText size={32} />}
      action={
        <Button variant="primary" onClick={onNewThread}>
          {t('app.newThread')}
        </Button>
      }
    >
      {t('app.noThread')}
    </EmptyState>
  );
};
