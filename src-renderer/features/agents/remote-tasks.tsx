import { isUnderWay, type RemoteTask } from '@contract/agents';
import type { ThreadId } from '@contract/ids';
import { Cloud } from 'lucide-react';
import { useState } from 'react';
import { useErrorWords, useFormats, useT } from '../../i18n';
import { call, lastIn, toast, useLiveAnswer } from '../../link';
import {
  Badge,
  Button,
  Dialog,
  ErrorNote,
  LoadFailed,
  MoreMenu,
  Textarea,
  type Tone,
  useBusy,
} from '../../ui';

const EVENTS = ['agents.taskChanged', 'agents.changed'] as const;

const TONES: Record<RemoteTask['status'], Tone> = {
  pending: 'neutral',
  running: 'accent',
  success: 'ok',
  error: 'deny',
  cancelled: 'neutral',
  timeout: 'ask',
  interrupted: 'ask',
  gone: 'ask',
};

/** The tasks that the thread has given to remote agents. Nothing if there are none. */
export const RemoteTasks = ({ threadId }: { threadId: ThreadId | null }) => {
  const t = useT();
  const { answer, reload } = useLiveAnswer('agents.tasks', threadId === null ? null : { threadId }, EVENTS);
  if (threadId === null || answer.phase === 'loading') return null;
  // New instructions that the person types stay while the tasks cannot be read.
  const tasks = lastIn(answer)?.value.tasks ?? [];
  const failed = answer.phase === 'failed' && (
    <div className="p-3">
      <LoadFailed error={answer.error} onRetry={reload} />
    </div>
  );
  if (tasks.length === 0) return failed;
  return (
    <section
      aria-label={t('agents.tasks')}
      className="max-h-1/2 shrink-0 overflow-y-auto border-t border-line px-3 py-2"
    >
      <h3 className="text-small font-medium text-fg-2">{t('agents.tasks')}</h3>
      {failed}
      <ul className="flex flex-col">
        {tasks.map((task) => (
          <Task key={task.taskId} task={task} />
        ))}
      </ul>
    </section>
  );
};

/** One task: its agent, state, instructions and report. */
const Task = ({ task }: { task: RemoteTask }) => {
  const t = useT();
  const formats = useFormats();
  const errorWords = useErrorWords();
  const [steering, setSteering] = useState(false);
  const { threadId, taskId, agentName: agent, status, description, report, problem, updatedAt } = task;
  const id = { threadId, taskId };
  const problemWords = problem === null ? null : errorWords(problem);
  const told = (result: { ok: true } | { ok: false; error: { message: string } }) => {
    if (!result.ok) toast(result.error.message);
  };
  return (
    <li
      aria-label={t('agents.taskOf', { agent })}
      className="flex flex-col gap-1.5 border-b border-line py-2 last:border-b-0"
    >
      <div className="flex items-center gap-2">
        <Cloud aria-hidden size={14} className="shrink-0 text-fg-3" />
        <span className="min-w-0 grow truncate font-medium">{agent}</span>
        <span role="status">
          <Badge tone={TONES[status]}>{t(`agents.status_${status}`)}</Badge>
        </span>
        <MoreMenu
          label={t('agents.more', { agent })}
          items={[
            { label: t('agents.check'), onSelect: async () => told(await call('agents.check', id)) },
            { label: t('agents.steer'), onSelect: () => setSteering(true) },
            ...(isUnderWay(task)
              ? [
                  {
                    label: t('agents.stop'),
                    danger: true,
                    onSelect: async () => told(await call('agents.cancel', id)),
                  },
                ]
              : []),
          ]}
        />
      </div>
      <p className="selectable line-clamp-3 break-words text-fg-2" title={description}>
        {description}
      </p>
      {problemWords !== null && (
        <ErrorNote tone="ask" message={problemWords.message} detail={problemWords.detail} />
      )}
      {report !== null && (
        <details>
          <summary className="text-small text-fg-2">{t('agents.report')}</summary>
          <p className="selectable mt-1 max-h-64 overflow-y-auto break-words whitespace-pre-wrap">{report}</p>
        </details>
      )}
      <span className="text-small text-fg-3">{t('agents.updated', { time: formats.moment(updatedAt) })}</span>
      {steering && <Steering task={task} onClose={() => setSteering(false)} />}
    </li>
  );
};

/** Asks for new instructions. */
const Steering = ({ task, onClose }: { task: RemoteTask; onClose(): void }) => {
  const t = useT();
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const [busy, during] = useBusy();
  const { threadId, taskId, agentName: agent } = task;
  const send = async () => {
    const result = await call('agents.steer', { threadId, taskId, text });
    if (result.ok) onClose();
    else setError(result.error.message);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('agents.steerTitle', { agent })}
      description={t('agents.steerHint')}
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void during(send());
        }}
      >
        <Textarea
          aria-label={t('agents.steerTitle', { agent })}
          rows={4}
          maxLength={100_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {error !== undefined && <ErrorNote message={error} />}
        <div className="flex justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>
            {t('agents.cancel')}
          </Button>
          <Button type="submit" variant="primary" busy={busy} disabled={text.trim() === ''}>
            {t('agents.send')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
