import type { Project } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import { FolderGit2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { call, lastIn, onHostEvent, openThread, toast, useAnswer } from '../../link';
import { Badge, Button, Dialog, ErrorNote, LoadFailed, Spinner } from '../../ui';

interface CopyStartProps {
  project: Project;
  /** The new thread works in the copy. */
  onStarted(threadId: ThreadId): void;
}

/** In a new thread: starts it in a private copy of the folder instead, or says that it works in one. */
export const CopyStart = ({ project, onStarted }: CopyStartProps) => {
  const t = useT();
  const [open, setOpen] = useState(false);
  if (project.copy !== undefined)
    return (
      <Badge tone="accent" icon={<FolderGit2 aria-hidden size={12} />}>
        {t('copies.inCopy')}
      </Badge>
    );
  if (project.missing || project.remote !== undefined) return null;
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        className="h-7"
        title={t('copies.startHint')}
        icon={<FolderGit2 aria-hidden size={14} />}
        onClick={() => setOpen(true)}
      >
        {t('copies.start')}
      </Button>
      {open && <MakeCopy project={project} onClose={() => setOpen(false)} onStarted={onStarted} />}
    </>
  );
};

/** Announces what is copied, copies it with progress, and starts a thread there. */
const MakeCopy = ({ project, onClose, onStarted }: CopyStartProps & { onClose(): void }) => {
  const t = useT();
  const formats = useFormats();
  const [ignored, setIgnored] = useState(true);
  const [error, setError] = useState<string>();
  const { answer, reload } = useAnswer('copies.measure', { projectId: project.id });
  const amounts = lastIn(answer)?.value;
  const [done, setDone] = useState<{ files: number; bytes: number }>();
  const making = useRef<AbortController>(null);
  useEffect(() => () => making.current?.abort(), []);
  useEffect(
    () =>
      onHostEvent('copies.progress', ({ projectId, files, bytes }) => {
        if (projectId === project.id) setDone((before) => before && { files, bytes });
      }),
    [project.id],
  );
  const make = async () => {
    const controller = new AbortController();
    making.current = controller;
    setError(undefined);
    setDone({ files: 0, bytes: 0 });
    const made = await call('copies.make', { projectId: project.id, ignored }, controller.signal);
    if (controller.signal.aborted) return;
    const thread = made.ok ? await call('thread.create', { projectId: made.value.project.id }) : made;
    making.current = null;
    setDone(undefined);
    if (!thread.ok) return setError(thread.error.message);
    if (made.ok && made.value.skipped > 0) toast(t('copies.skipped', { count: made.value.skipped }));
    onStarted(thread.value.id);
    openThread(thread.value.id);
    onClose();
  };
  const bytes = amounts === undefined ? 0 : amounts.own.bytes + (ignored ? amounts.ignored.bytes : 0);
  const isTooLarge = amounts !== undefined && amounts.method === 'copy' && bytes > amounts.free;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('copies.makeTitle')}
      description={t('copies.makeText', { folder: project.name })}
      footer={
        <>
          <Button onClick={onClose}>{t(done === undefined ? 'copies.cancel' : 'copies.stop')}</Button>
          <Button
            variant="primary"
            busy={done !== undefined}
            disabled={amounts === undefined || isTooLarge}
            onClick={() => void make()}
          >
            {t('copies.make')}
          </Button>
        </>
      }
    >
      {error !== undefined && <ErrorNote message={error} />}
      {answer.phase === 'failed' && <LoadFailed error={answer.error} onRetry={reload} />}
      {answer.phase === 'loading' && (
        <p className="flex items-center gap-2 text-fg-2">
          <Spinner size={14} /> {t('copies.measuring')}
        </p>
      )}
      {amounts !== undefined && (
        <div className="flex flex-col gap-2">
          <p>
            {t(amounts.method === 'clone' ? 'copies.sizeCloned' : 'copies.size', {
              count: amounts.own.files + (ignored ? amounts.ignored.files : 0),
              size: formats.bytes(bytes),
            })}
          </p>
          {amounts.ignored.files > 0 && (
            <label className="flex items-center gap-2">
              <input
                type="checkbox"
                checked={ignored}
                disabled={done !== undefined}
                onChange={(event) => setIgnored(event.target.checked)}
              />
              {t('copies.ignored', { size: formats.bytes(amounts.ignored.bytes) })}
            </label>
          )}
          {isTooLarge && (
            <p role="alert" className="text-deny">
              {t('copies.noSpace', { free: formats.bytes(amounts.free) })}
            </p>
          )}
          {done !== undefined && <Progress done={done} bytes={bytes} />}
        </div>
      )}
    </Dialog>
  );
};

/** `bytes`: how many there are in all. */
const Progress = ({ done, bytes }: { done: { files: number; bytes: number }; bytes: number }) => {
  const t = useT();
  const formats = useFormats();
  return (
    <div className="flex flex-col gap-1">
      <progress
        aria-label={t('copies.progress')}
        className="w-full"
        max={Math.max(1, bytes)}
        value={done.bytes}
      />
      <p role="status" className="text-small text-fg-2 tabular-nums">
        {t('copies.copied', { count: done.files, size: formats.bytes(done.bytes) })}
      </p>
    </div>
  );
};
