import { AppSnapshot } from '@contract/app';
import type { CommandName, Input, Output } from '@contract/commands';
import type { HostEvent } from '@contract/events';
import { portPair } from '@contract/port-pair';
import { fail, ok, type Result } from '@contract/result';
import { start } from '../link';

export type Answers = {
  [C in CommandName]?: (input: Input<C>) => Result<Output<C>> | Promise<Result<Output<C>>>;
};

interface Frame {
  kind: 'call' | 'cancel';
  id: number;
  command: CommandName;
  input: unknown;
}

/**
 * A main process for tests of panels. It gives the answers of the test, rejects other commands by name, records the calls,
 * and sends events. It answers one task later, as a real port does.
 */
export function panelHost(app: Partial<AppSnapshot>, answers: Answers) {
  const [host, window] = portPair();
  const asked: { command: CommandName; input: unknown }[] = [];
  const snapshot = AppSnapshot.parse({ ...emptyApp, ...app });
  const all: Answers = {
    'app.open': () => ok(snapshot),
    'thread.close': () => ok({}),
    ...answers,
  };
  host.listen((message) => {
    const { kind, id, command, input } = message as Frame;
    if (kind === 'cancel') host.post({ kind: 'reply', id, result: fail('cancelled', 'cancelled') });
    if (kind !== 'call') return;
    asked.push({ command, input });
    // Each answer takes the input of its command. The type of the table guarantees it, but the name is only known at run
    // time.
    const answer = all[command] as ((given: unknown) => unknown) | undefined;
    const result = answer
      ? answer(input)
      : fail('unsupported', 'external', { text: `The test has no answer to ${command}.` });
    void Promise.resolve(result).then((value) => host.post({ kind: 'reply', id, result: value }));
  });
  const stop = start(window);
  return {
    /** The window's calls in order, without those that open it. */
    asked: (command: CommandName) =>
      asked.filter((call) => call.command === command).map((call) => call.input),
    emit: (event: HostEvent) => host.post({ kind: 'event', event }),
    stop,
  };
}

const emptyApp = {
  version: '0.1.0',
  dataFolder: '/home/me/.config/Deepdesk',
  platform: 'linux',
  projects: [],
  threads: [],
  settings: {
    theme: 'system',
    language: 'en',
    model: 'offline:guide',
    onboarded: true,
    spending: { thread: null, day: null },
    fallbacks: [],
  },
  models: { providers: [], keychain: true, overrides: {} },
  terminals: [],
  warnings: [],
};
