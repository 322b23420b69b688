import { describe, expect, it } from 'vitest';
import { ProjectId } from './ids';
import { portPair } from './port-pair';
import { fail, ok } from './result';
import { connect, type Handlers } from './rpc';
import { serve } from './serve';

function setUp(handlers: Partial<Handlers<null>>) {
  const [windowPort, hostPort] = portPair();
  const reported: string[] = [];
  serve(hostPort, handlers as Handlers<null>, null, (command, error) =>
    reported.push(`${command}: ${String(error)}`),
  );
  return { client: connect(windowPort), windowPort, hostPort, reported };
}

describe('rpc over a port', () => {
  it('transfers a call and its answer', async () => {
    const { client } = setUp({ 'link.open': ({ url }) => ok({ opened: url === 'https://a.example' }) });
    expect(await client.call('link.open', { url: 'https://a.example' })).toEqual({
      ok: true,
      value: { opened: true },
    });
  });

  it('refuses input that does not match the table, including extra keys, without calling the handler', async () => {
    let calls = 0;
    const { client, windowPort } = setUp({
      'link.open': () => {
        calls++;
        return ok({ opened: true });
      },
    });
    const answers: unknown[] = [];
    windowPort.listen((message) => answers.push(message));
    windowPort.post({ kind: 'call', id: 900, command: 'link.open', input: { url: 'x', extra: 1 } });
    windowPort.post({ kind: 'call', id: 901, command: 'link.open', input: { url: 5 } });
    windowPort.post({ kind: 'call', id: 902, command: 'constructor', input: {} });
    windowPort.post({ kind: 'call', id: 903, command: '__proto__', input: {} });
    windowPort.post('nonsense');
    windowPort.post({ kind: 'call', id: 'x', command: 'link.open', input: {} });
    expect(await client.call('link.open', { url: 'ok' })).toEqual({ ok: true, value: { opened: true } });
    const kinds = answers
      .map((answer) => answer as { id: number; result: { ok: boolean; error?: { kind: string } } })
      .filter(({ id }) => id >= 900)
      .map(({ id, result }) => [id, result.ok ? 'ok' : result.error?.kind]);
    expect(kinds.sort()).toEqual([
      [900, 'invalid'],
      [901, 'invalid'],
      [902, 'invalid'],
      [903, 'invalid'],
    ]);
    expect(calls).toBe(1);
  });

  it('says that a text is too long in words for the person who pasted it', async () => {
    const { client } = setUp({});
    const answer = await client.call('rules.test', {
      projectId: ProjectId.parse('p'),
      command: 'x'.repeat(20_001),
    });
    expect(answer.ok ? null : answer.error).toMatchObject({
      code: 'text_too_long',
      values: { limit: 20_000 },
    });
  });

  it('turns a throwing handler into an internal error and reports the bug', async () => {
    const { client, reported } = setUp({
      'link.open': () => {
        throw new Error('a bug');
      },
    });
    const answer = await client.call('link.open', { url: 'x' });
    expect(answer.ok ? null : answer.error.kind).toBe('internal');
    expect(reported).toEqual(['link.open: Error: a bug']);
  });

  it('answers when what the handler wrote is saved, and with an error if it cannot be', async () => {
    const [windowPort, hostPort] = portPair();
    const handlers: Partial<Handlers<null>> = { 'link.open': () => ok({ opened: true }) };
    const done: string[] = [];
    const disk = [
      async () => void done.push('saved'),
      () => Promise.reject(new Error('the disk is gone')),
      () => undefined,
    ];
    const explain = (error: unknown) => fail('storage', 'external', { text: String(error) }).error;
    serve(
      hostPort,
      handlers as Handlers<null>,
      null,
      () => undefined,
      explain,
      () => undefined,
      () => disk.shift()?.(),
    );
    const client = connect(windowPort);
    const first = await client.call('link.open', { url: 'x' });
    done.push('answered');
    const second = await client.call('link.open', { url: 'x' });
    const third = await client.call('link.open', { url: 'x' });
    expect({ done, oks: [first, second, third].map((one) => one.ok) }).toEqual({
      done: ['saved', 'answered'],
      oks: [true, false, true],
    });
  });

  it('cancels the work on the other side', async () => {
    let aborted: (() => void) | undefined;
    const wasAborted = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    let started: (() => void) | undefined;
    const hasBegun = new Promise<void>((resolve) => {
      started = resolve;
    });
    const { client } = setUp({
      'link.open': (_input, _context, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted?.();
            resolve(fail('cancelled', 'external', { text: 'x' }));
          });
          started?.();
        }),
    });
    const controller = new AbortController();
    const answer = client.call('link.open', { url: 'x' }, controller.signal);
    await hasBegun;
    controller.abort();
    expect(await answer).toEqual(fail('cancelled', 'cancelled'));
    await wasAborted;
  });
});
