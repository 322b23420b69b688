import type { ThreadId } from '@contract/ids';
import type { Todo } from '@contract/shared/todo';
import { Circle, CircleCheck, CircleDot, ListChecks } from 'lucide-react';
import { useT } from '../../i18n';
import { reopenThread, useThread, useThreadError } from '../../link';
import { Bar, cx, EmptyState, LoadFailed, Skeleton } from '../../ui';

/** The agent's plan for the thread, with its progress. */
export const PlanPanel = ({ threadId }: { threadId: ThreadId | null }) => {
  const t = useT();
  const todos = useThread(threadId, (state) => state.todos);
  const error = useThreadError(threadId);
  if (error !== undefined && threadId !== null) {
    return (
      <div className="p-3">
        <LoadFailed error={error} onRetry={() => reopenThread(threadId)} />
      </div>
    );
  }
  if (todos === undefined && threadId !== null) return <Skeleton lines={4} />;
  if (todos === undefined || todos.length === 0)
    return <EmptyState icon={<ListChecks size={32} />}>{t('plan.empty')}</EmptyState>;
  const done = todos.filter((todo) => todo.status === 'completed').length;
  const progress = t('plan.progress', { done, total: todos.length });
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center gap-3 border-b border-line px-3 py-2">
        <span className="text-small text-fg-2 tabular-nums">{progress}</span>
        <progress aria-label={progress} className="sr-only" value={done} max={todos.length} />
        <Bar share={done / todos.length} tone="ok" className="min-w-0 grow" />
      </div>
      <ol aria-label={t('plan.title')} className="min-h-0 grow overflow-y-auto py-1.5">
        {todos.map((todo, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a step
          <Step key={index} todo={todo} />
        ))}
      </ol>
    </div>
  );
};

const Step = ({ todo }: { todo: Todo }) => {
  const t = useT();
  const isNow = todo.status === 'in_progress';
  const words = {
    pending: 'plan.pending',
    in_progress: 'plan.inProgress',
    completed: 'plan.completed',
  } as const;
  return (
    <li aria-current={isNow ? 'step' : undefined} className="flex items-start gap-2 px-3 py-1">
      <span aria-hidden className="mt-0.5">
        <StepIcon status={todo.status} />
      </span>
      <span
        className={cx(
          'selectable min-w-0 grow break-words',
          todo.status === 'completed' && 'text-fg-3',
          isNow && 'font-medium',
        )}
      >
        {todo.content}
      </span>
      <span className="mt-px shrink-0 text-small text-fg-3">{t(words[todo.status])}</span>
    </li>
  );
};

const StepIcon = ({ status }: { status: Todo['status'] }) => {
  const look = { size: 16 };
  if (status === 'completed') return <CircleCheck {...look} className="text-ok" />;
  return status === 'in_progress' ? (
    <CircleDot {...look} className="text-accent" />
  ) : (
    <Circle {...look} className="text-fg-3" />
  );
};
