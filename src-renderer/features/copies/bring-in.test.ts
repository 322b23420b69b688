import { CallId, ProjectId, ThreadId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { expect, it, vi } from 'vitest';
import { translator } from '../../i18n';
import { errorWords } from '../../i18n/errors';
import { type Intent, onIntent } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { bringIn } from './bring-in';

const t = translator('en');
type Toast = Extract<Intent, { type: 'toast' }>;

it('says what came of an undo of files that have changed since, also if it failed', async () => {
  const forced: boolean[] = [];
  const { stop } = panelHost(
    {},
    {
      'copies.bringIn': () => ok({ brought: ['a'], left: [], callId: CallId.parse('c') }),
      'copies.undo': ({ force }) => {
        forced.push(force);
        return force ? fail('not_found', 'thread_gone') : ok({ done: false, files: 0 });
      },
    },
  );
  const toasts: Toast[] = [];
  const stopToasts = onIntent((intent) => intent.type === 'toast' && toasts.push(intent));
  const place = { projectId: ProjectId.parse('p'), threadId: ThreadId.parse('t') };
  await bringIn(place, { paths: ['a'] }, t);
  toasts.at(-1)?.undo?.();
  await vi.waitFor(() => expect(toasts.at(-1)?.message).toBe(t('copies.undoChanged')));
  toasts.at(-1)?.action?.run();
  const words = errorWords('en', { code: 'thread_gone' });
  await vi.waitFor(() => expect(toasts.at(-1)?.message).toBe(words));
  expect(forced).toEqual([false, true]);
  stopToasts();
  stop();
});
