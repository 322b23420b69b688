import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Routines } from '../routines/routines';
import type { Connection } from '../window/connection';

export function routinesHandlers({ routines }: { routines: Routines }): HandlersOf<'routines', Connection> {
  return {
    'routines.list': () =>
      ok({
        routines: routines.list(),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      }),
    'routines.preview': ({ schedule, timeZone }) => routines.preview(schedule, timeZone),
    'routines.save': ({ id, draft }) => routines.save(id, draft),
    'routines.turn': ({ id, isOn }) => routines.turn(id, isOn),
    'routines.remove': ({ id }) => routines.remove(id),
    'routines.restore': ({ id }) => routines.restore(id),
    'routines.run': ({ id, record }) => routines.run(id, record),
    'routines.dismiss': ({ id }) => routines.dismiss(id),
    'routines.always': ({ threadId, approvalId, digest }) => routines.always(threadId, approvalId, digest),
    'routines.forget': ({ id, tool, about }) => routines.forget(id, tool, about),
  };
}
