import { onTestFinished } from 'vitest';
import { DEFAULT_PLACE_POLICY, type PlaceOptions, type PlaceState } from '../../../contract/places';
import { type Part, SlowModel } from '../../testing/slow-model';
import { isIdle, setUp } from '../../testing/window';
import { connectPlace } from '../kinds';
import { PlaceBackend } from '../place-backend';
import { PlaceConnection } from '../place-connection';

/** One person's files of a place, without the app. No call waits longer than `limit`. */
export function openPlaceOf(options: PlaceOptions, secret: string | null, limit?: number) {
  const connection = new PlaceConnection({
    connect: (signal) =>
      connectPlace(options, { secret, knownHosts: '', env: process.env, confine: async () => null, signal }),
    onState: () => undefined,
    retryAfter: 0,
  });
  onTestFinished(() => connection.close());
  return { connection, files: new PlaceBackend(connection, limit) };
}

/** An instance of the app with a place in which the agent writes without asking. */
export async function instanceWith(
  path: string,
  options: PlaceOptions,
  secret: string | null,
  script: readonly (readonly Part[])[],
  more: Parameters<typeof setUp>[0] = {},
) {
  const t = await setUp(more);
  const policy = { ...DEFAULT_PLACE_POLICY, writing: 'allow' as const };
  await t.window.must('places.add', { draft: { path, options, projectId: null, policy }, secret });
  SlowModel.into(t.host, script);
  /** The result of the last call of a turn. */
  const go = async () => {
    const before = t.window.calls.length;
    await t.say('go');
    await t.window.until((state) => isIdle(state) && t.window.calls.length > before);
    return t.window.calls.at(-1)?.result ?? '';
  };
  /** The place as the settings show it. */
  const place = async () => {
    const { places }: { places: { id: string; state: PlaceState }[] } = await t.window.must('places.list', {
      projectId: null,
    });
    return { id: places[0]?.id ?? '', state: places[0]?.state };
  };
  const revert = () =>
    t.window.must('changes.revert', { threadId: t.threadId, scope: { kind: 'thread' }, force: false });
  return { ...t, go, place, revert };
}
