import { isBelow } from '../../base/is-below';
import type { Project } from '../../contract/app';
import type { ToolCall } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import type { PlaceCall } from '../../contract/places';
import { deletesFile, descriptorOf, runsCommand } from '../../harness/tools/catalogue';
import type { Storage } from '../../storage';
import type { Places } from './places';

/** A call that has ended. */
export interface EndedCall extends Pick<ToolCall, 'callId' | 'args'> {
  tool: string;
  status: 'done' | 'failed' | 'rejected' | 'cancelled';
  /** The person decided on it. */
  asked: boolean;
  /** It did not run, because something forbids it. */
  refused: boolean;
}

/** Adds the call to the list of its place, or of a project with path rules. */
export function noteCall(
  { storage, places }: { storage: Storage; places: Pick<Places, 'of'> },
  project: Project,
  threadId: ThreadId,
  call: EndedCall,
): void {
  const about = targetOf(call);
  if (about === null) return;
  const place = places
    .of(project)
    .find(({ path }) =>
      about.place === undefined ? isBelow(about.target, path.slice(0, -1)) : about.place === path,
    );
  const { pathRules = [] } = storage.projects.get(project.id) ?? {};
  const isInFolder = about.operation === 'run' || isBelow(about.target, project.mount);
  const owner = place?.id ?? (pathRules.length > 0 && isInFolder ? project.id : null);
  if (owner === null) return;
  const { operation, target } = about;
  storage.placeCalls.add(owner, {
    threadId,
    callId: call.callId,
    at: Date.now(),
    operation,
    target,
    result: resultOf(call),
  });
}

function resultOf({ status, asked, refused }: EndedCall): PlaceCall['result'] {
  if (refused || status === 'rejected') return 'denied';
  if (status !== 'done') return 'failed';
  return asked ? 'asked' : 'allowed';
}

function targetOf({
  tool,
  args,
}: EndedCall): { operation: PlaceCall['operation']; target: string; place?: string } | null {
  if (runsCommand(tool)) {
    const { command, place } = args;
    if (typeof command !== 'string') return null;
    return { operation: 'run', target: command, ...(typeof place === 'string' ? { place } : {}) };
  }
  const path = descriptorOf(tool)?.path;
  const named = path === undefined ? undefined : (args[path.argument] ?? path.byDefault);
  if (path === undefined || typeof named !== 'string') return null;
  const operation = deletesFile(tool) ? 'delete' : path.operation;
  return { operation, target: named.replace(/(?<=[^/]|^\/)\/+$/, '') };
}
