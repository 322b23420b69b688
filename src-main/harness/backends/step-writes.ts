import { AsyncLocalStorage } from 'node:async_hooks';
import { setNewest } from '../../contract/shared/set-newest';
import type { FileData, FilesUpdate } from './protocol';
import { runContext } from './run-context';

/** A task's position in its step. Its writes are applied after those of earlier tasks. */
type Order = readonly unknown[];

interface StepWrite {
  task: string;
  order: Order;
  data: FileData | null;
}

/** What the tasks of one step have written so far, by path, latest last. */
type Step = Map<string, StepWrite[]>;

/** Maximum number of steps remembered. Only the few that are running matter. */
const MAX_STEPS = 64;
const steps = new Map<string, Step>();

/**
 * What other tasks of this graph step have written to the thread's files. LangGraph shows a task only the state before the
 * step and its own writes, so two calls of one answer would silently undo each other.
 */
export interface StepWrites {
  /** Files as other tasks left them, if they wrote last. */
  fromOthers(): FilesUpdate;
  note(update: FilesUpdate): void;
  /**
   * Whether another task has written the file. `later`: its writes are applied after this task's write, which would be lost.
   */
  takenBy(path: string): 'earlier' | 'later' | null;
}

const followed = new AsyncLocalStorage<FilesUpdate>();

/** Runs `work` and records in `written` what it writes to the thread's files, even if it stops before its step is done. */
export const followWrites = <T>(written: FilesUpdate, work: () => Promise<T>): Promise<T> =>
  followed.run(written, work);

export const noteWritten = (update: FilesUpdate): void => {
  const written = followed.getStore();
  if (written !== undefined) Object.assign(written, update);
};

/** The step that contains the call. Null outside a run. */
export function stepWrites(): StepWrites | null {
  const { configurable, metadata } = runContext();
  const { __pregel_task_id: task, checkpoint_map: checkpoints } = configurable;
  const order = metadata.langgraph_path;
  if (typeof task !== 'string' || typeof checkpoints !== 'object' || checkpoints === null) return null;
  if (!Array.isArray(order)) return null;
  // A checkpoint's id is unique, so the ids of a graph and the graphs around it identify one step of one run.
  const step = stepOf(Object.values(checkpoints).join(' '));
  return {
    fromOthers: () => {
      const update: FilesUpdate = {};
      for (const [path, writes] of step) {
        const last = writes.at(-1);
        if (last !== undefined && last.task !== task) update[path] = last.data;
      }
      return update;
    },
    note: (update) => {
      for (const [path, data] of Object.entries(update)) {
        const others = (step.get(path) ?? []).filter((write) => write.task !== task);
        step.set(path, [...others, { task, order, data }]);
      }
    },
    takenBy: (path) => {
      const others = (step.get(path) ?? []).filter((write) => write.task !== task);
      if (others.length === 0) return null;
      return others.some((write) => compareOrders(write.order, order) > 0) ? 'later' : 'earlier';
    },
  };
}

function stepOf(key: string): Step {
  const step: Step = steps.get(key) ?? new Map();
  setNewest(steps, key, step, MAX_STEPS);
  return step;
}

/** LangGraph's order of a step's tasks when it applies their writes. */
function compareOrders(a: Order, b: Order): number {
  for (let at = 0; at < Math.min(a.length, b.length, 3); at += 1) {
    const [left, right] = [a[at], b[at]];
    if (typeof left === 'number' && typeof right === 'number' && left !== right) return left - right;
    if (typeof left === 'string' && typeof right === 'string' && left !== right) return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
