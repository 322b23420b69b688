import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { because } from '../contract/shared/reasons';
import { callTool, httpTrial, place, temp, trial } from './testing/place';

// Servers start slowly on a busy machine. Their limits expire only when a test moves the clock.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const begun = (marker: string) => soon(() => expect(existsSync(`${marker}.started`)).toBe(true));

const names = (tools: { tool: { name: string } }[]) => tools.map(({ tool }) => tool.name);

describe('a failing server', () => {
  it('does not delay a turn when it never answers', async () => {
    const marker = join(temp('marker'), 'mute');
    const env = { TRIAL_MARKER: marker };
    const t = place({ mute: trial('silent', { startTimeoutSeconds: 1, env }), trial: trial() });
    const tools = t.tools();
    await begun(marker);
    await soon(async () => expect((await t.shown('trial')).state.phase).toBe('ready'));
    await t.expire(1_000);
    expect(names(await tools)).toContain('trial__echo');
    expect((await t.shown('mute')).state).toEqual({
      phase: 'failed',
      why: [because('mcp_slow_start', { seconds: 1 })],
      lines: ['thinking about it'],
    });
  });

  it('does not delay a turn for its full startup timeout', async () => {
    const t = place({ mute: trial('silent', { startTimeoutSeconds: 60 }) });
    const tools = t.tools();
    await t.expire(5_000);
    expect(await tools).toEqual([]);
    expect((await t.shown('mute')).state).toEqual({ phase: 'starting' });
  });

  it('shows its last output when it dies at startup, without its secrets', async () => {
    const t = place({ frail: trial('dies', { env: { TRIAL_TOKEN: 'very-secret-value' } }) });
    expect(await t.tools()).toEqual([]);
    expect((await t.shown('frail')).state).toEqual({
      phase: 'failed',
      why: [because('mcp_exited', { status: '1' })],
      lines: ['starting with TRIAL_TOKEN •••', 'cannot open the database'],
    });
  });

  it('answers a call with an error when it dies during the call, and restarts with the next', async () => {
    const t = place({ trial: trial() });
    const [crash, echo] = ['crash', 'echo'].map((name) => `trial__${name}`);
    const tools = new Map((await t.tools()).map(({ tool }) => [tool.name, tool]));
    const call = (name = '', args = {}) => {
      const tool = tools.get(name);
      if (!tool) throw new Error(`No tool ${name}.`);
      return callTool(tool, args);
    };
    expect(await call(crash)).toEqual({
      status: 'error',
      content:
        'Error: The MCP server "trial" stopped before it answered crash. It exited (code 3). Whether it did anything is not known.',
    });
    expect((await t.mcp.list(null)).servers[0]?.tools.length).toBeGreaterThan(0);
    expect(await call(echo, { text: 'back' })).toEqual({ status: 'success', content: 'back' });
  });

  it('is not restarted repeatedly when it cannot start', async () => {
    const t = place({ trial: trial() });
    const [echo] = (await t.tools()).filter(({ tool }) => tool.name === 'trial__echo');
    if (!echo) throw new Error('No tool.');
    const crash = () => t.call('trial__crash');
    const starts: string[] = [];
    for (let round = 0; round < 3; round++) starts.push(String((await crash()).content));
    // The second consecutive failure is followed by a pause.
    expect(starts[0]).toMatch(/stopped before/);
    expect(starts[1]).toMatch(/stopped before/);
    expect(starts[2]).toMatch(/is not running, so crash was not run.*after 2 s/);
    t.later(2_000);
    expect(await callTool(echo.tool, { text: 'again' })).toEqual({ status: 'success', content: 'again' });
  });

  it('ignores printed lines that are not messages, and shows them when it fails', async () => {
    const t = place({ noisy: trial('junk') });
    expect(await t.call('noisy__echo', { text: 'still' })).toEqual({ status: 'success', content: 'still' });
    const shell = place({ chatty: { command: '/bin/sh', args: ['-c', 'echo hello there; exit 4'] } });
    await shell.tools();
    expect((await shell.shown('chatty')).state).toMatchObject({
      why: [because('mcp_exited', { status: '4' }), because('mcp_not_protocol', { line: 'hello there' })],
    });
  });

  it('omits only tools with invalid descriptions', async () => {
    const t = place({ odd: trial('odd') });
    const offered = names(await t.tools());
    expect(offered).toContain('odd__echo');
    expect(offered.filter((name) => /odd_letters/.test(name))).toEqual([
      expect.stringMatching(/^odd__a_tool_with_odd_letters_[0-9a-f]{6}$/),
    ]);
    expect((await t.shown('odd')).leftOut.map(({ name }) => name)).toEqual([
      'no-schema',
      'not-an-object',
      'broken.reference',
    ]);
  });

  it('has a limited tool list even if its pages never end', async () => {
    const t = place({ endless: trial('endless') });
    expect(names(await t.tools()).filter((name) => name === 'endless__echo')).toEqual(['endless__echo']);
  });

  it('answers a call with an error after the timeout, and is told to stop', async () => {
    const t = place({ trial: trial('', { timeoutSeconds: 1 }) });
    const marker = join(t.folder, 'marker');
    const answer = t.call('trial__slow', { marker });
    await begun(marker);
    await t.expire(1_000);
    expect(await answer).toEqual({
      status: 'error',
      content:
        'Error: The MCP server "trial" did not answer slow within 1 s and was told to stop. Whether it did anything is not known.',
    });
    await soon(() => expect(readFileSync(marker, 'utf8')).toBe('told to stop'));
    expect((await t.shown('trial')).state).toEqual({ phase: 'ready' });
  });

  it('is stopped and restarted when it no longer answers', async () => {
    const t = place({ trial: trial('', { timeoutSeconds: 1 }) });
    const marker = join(t.folder, 'marker');
    const answer = t.call('trial__hang', { marker });
    await begun(marker);
    await t.expire(1_000);
    expect(await answer).toMatchObject({ status: 'error' });
    // A server that does not answer a ping either is stopped.
    expect((await t.shown('trial')).state).toEqual({ phase: 'ready' });
    await t.expire(5_000);
    expect(await t.call('trial__echo', { text: 'anew' })).toEqual({ status: 'success', content: 'anew' });
  });

  it('stops a call with the turn and notifies the server', async () => {
    const t = place({ trial: trial() });
    const marker = join(t.folder, 'marker');
    const stop = new AbortController();
    const [slow] = (await t.tools()).filter(({ tool }) => tool.name === 'trial__slow');
    if (!slow) throw new Error('No tool.');
    const work = callTool(slow.tool, { marker }, stop.signal);
    await begun(marker);
    stop.abort(new Error('Stopped by the person.'));
    await expect(work).rejects.toThrow();
    await soon(() => expect(existsSync(marker)).toBe(true));
  });

  it('reports that an HTTP server is gone', async () => {
    const { url, child } = await httpTrial();
    const t = place({ far: { url } });
    await t.tools();
    child.kill('SIGKILL');
    expect(await t.call('far__echo', { text: 'x' })).toMatchObject({ status: 'error' });
    await soon(async () => expect((await t.mcp.list(null)).servers[0]?.state.phase).toBe('failed'));
  });

  it('reports why an HTTP server could not be reached', async () => {
    const { url, child } = await httpTrial();
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    const t = place({ far: { url } });
    await t.tools();
    expect((await t.shown('far')).state).toMatchObject({
      phase: 'failed',
      why: [because('mcp_unreachable', { code: 'ECONNREFUSED' })],
    });
  });

  it('does not delay a turn when an HTTP server accepts a connection and stays silent', async () => {
    const marker = join(temp('marker'), 'far');
    const { url } = await httpTrial('silent', { TRIAL_MARKER: marker });
    const t = place({ far: { url, startTimeoutSeconds: 1 } });
    const tools = t.tools();
    await begun(marker);
    await t.expire(1_000);
    expect(await tools).toEqual([]);
    expect((await t.shown('far')).state).toMatchObject({
      why: [because('mcp_slow_start', { seconds: 1 })],
    });
  });
});
