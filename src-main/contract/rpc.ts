import type { z } from 'zod';
import type { CommandName, CommandPrefix, commands, Input, Output } from './commands';
import type { HostEvent } from './events';
import { fail, type Result } from './result';

/**
 * The part of a MessagePort that both ends need. It wraps browser ports, Electron's MessagePortMain and the tests' in-memory
 * pair, so that the whole protocol runs without Electron.
 */
export interface Port {
  post(message: unknown): void;
  /** Returns a function that removes the listener. */
  listen(receive: (message: unknown) => void): () => void;
  /** Returns a function that removes the listener. */
  onClose(closed: () => void): () => void;
}

/** Frames from the host are trusted: the window trusts its main process. */
export type ToWindow =
  | { kind: 'reply'; id: number; result: Result<unknown> }
  | { kind: 'event'; event: HostEvent };

export type Handlers<Context> = {
  [C in CommandName]: (
    input: z.output<(typeof commands)[C]['input']>,
    context: Context,
    signal: AbortSignal,
  ) => Promise<Result<Output<C>>> | Result<Output<C>>;
};

/** Exactly the handlers of one prefix. */
export type HandlersOf<Prefix extends CommandPrefix, Context> = Pick<
  Handlers<Context>,
  Extract<CommandName, `${Prefix}.${string}`>
>;

export interface Client {
  /**
   * Never rejects: a lost connection is also `{ ok: false }`. Aborting cancels the work on the other side and returns
   * `cancelled`.
   */
  call<C extends CommandName>(command: C, input: Input<C>, signal?: AbortSignal): Promise<Result<Output<C>>>;
  /** Returns a function that removes the listener. */
  onEvent(receive: (event: HostEvent) => void): () => void;
  close(): void;
}

/** The window's end of the port. */
export function connect(port: Port): Client {
  let nextId = 1;
  let closed = false;
  const waiting = new Map<number, (result: Result<unknown>) => void>();
  const receivers = new Set<(event: HostEvent) => void>();

  const stopListening = port.listen((message) => {
    const frame = message as ToWindow;
    if (frame.kind === 'event') {
      for (const receive of receivers) receive(frame.event);
      return;
    }
    waiting.get(frame.id)?.(frame.result);
    waiting.delete(frame.id);
  });

  const shut = () => {
    closed = true;
    for (const settle of waiting.values()) settle(lost());
    waiting.clear();
  };
  const stopWatching = port.onClose(shut);
  const lost = () => fail('internal', 'connection_lost');

  return {
    call: (command, input, signal) =>
      new Promise((resolve) => {
        if (closed) return resolve(lost());
        if (signal?.aborted) return resolve(fail('cancelled', 'cancelled'));
        const id = nextId++;
        const cancel = () => {
          waiting.delete(id);
          port.post({ kind: 'cancel', id });
          resolve(fail('cancelled', 'cancelled'));
        };
        signal?.addEventListener('abort', cancel, { once: true });
        waiting.set(id, (result) => {
          signal?.removeEventListener('abort', cancel);
          // The host returns each command's own output type; see Handlers.
          resolve(result as Result<Output<typeof command>>);
        });
        port.post({ kind: 'call', id, command, input });
      }),
    onEvent: (receive) => {
      receivers.add(receive);
      return () => receivers.delete(receive);
    },
    close: () => {
      stopListening();
      stopWatching();
      shut();
    },
  };
}
