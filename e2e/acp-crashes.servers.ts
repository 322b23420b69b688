import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { expect, test } from './support/app';
import {
  gone,
  inEditor,
  RawClient,
  rawSession,
  running,
  say,
  start,
  temporary,
  textOf,
} from './support/editor';

test('asks again what an editor that crashed had not answered', async () => {
  const folder = temporary('acp');
  const dataDir = temporary('data');
  const child = start(dataDir);
  const { raw, sessionId } = await rawSession(child, folder);
  raw.send({
    id: 77,
    method: 'session/prompt',
    params: { sessionId, prompt: [{ type: 'text', text: 'create a.txt with "1"' }] },
  });
  await raw.until((message) => message.method === 'session/request_permission');
  child.stdin?.destroy();
  child.stdout?.destroy();
  expect(await gone(child)).toBe(0);
  await inEditor(dataDir, async ({ agent, questions }) => {
    await agent.request(methods.agent.session.load, { sessionId, cwd: folder, mcpServers: [] });
    expect(await say(agent, sessionId, 'list files')).toEqual({ stopReason: 'end_turn' });
    expect(questions).toHaveLength(1);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('1');
  });
});

test('stops its commands when the editor ends it with SIGTERM, and the session can be loaded again', async () => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  const folder = temporary('acp');
  const dataDir = temporary('data');
  const child = start(dataDir);
  const { raw, sessionId } = await rawSession(child, folder);
  const command = `sleep 4713.${process.pid}`;
  raw.send({
    id: 77,
    method: 'session/prompt',
    params: { sessionId, prompt: [{ type: 'text', text: `run ${command}` }] },
  });
  const { id } = await raw.until((message) => message.method === 'session/request_permission');
  raw.send({ id, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } });
  await expect.poll(() => running(command)).toBeGreaterThan(0);
  child.kill('SIGTERM');
  expect(await gone(child)).toBe(130);
  expect(running(command)).toBe(0);
  await inEditor(dataDir, async ({ agent, updates }) => {
    await agent.request(methods.agent.session.load, { sessionId, cwd: folder, mcpServers: [] });
    expect(await say(agent, sessionId, 'list files')).toEqual({ stopReason: 'end_turn' });
    expect(textOf(updates)).toContain('empty');
  });
});

test('ends the prompt that is cancelled while it asks about an older call, and continues', async () => {
  const folder = temporary('acp');
  const child = start(temporary('data'));
  const { raw, sessionId } = await rawSession(child, folder);
  const prompted = async (id: number, text: string, answer: object | null) => {
    raw.send({ id, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text }] } });
    if (answer !== null) {
      const asked = await raw.until(({ method }) => method === 'session/request_permission');
      raw.send({ id: asked.id, result: answer });
    }
    const { result, error } = await raw.until((message) => message.id === id);
    return result ?? error;
  };
  expect(await prompted(501, 'create a.txt with "1"', {})).toEqual({
    code: -32603,
    message: 'The editor answered a permission request without an outcome.',
  });
  expect(await prompted(502, 'list files', { outcome: { outcome: 'cancelled' } })).toEqual({
    stopReason: 'cancelled',
  });
  expect(await prompted(503, 'list files', null)).toEqual({ stopReason: 'end_turn' });
  child.stdin?.end();
  expect(await gone(child)).toBe(0);
});

test('answers a client that misbehaves with errors, and continues', async () => {
  const folder = temporary('acp');
  const child = start(temporary('data'));
  const raw = new RawClient(child);
  const codeOf = async (method: string, params: unknown) => {
    try {
      return await raw.request(method, params);
    } catch (error) {
      return (error as { code: number }).code;
    }
  };
  expect(await codeOf('session/new', { cwd: folder, mcpServers: [] })).toBe(-32600);
  raw.write('this is no JSON\n');
  raw.write('[]\n');
  raw.write('{"jsonrpc":"2.0","id":{"a":1},"method":"initialize"}\n');
  await raw.request('initialize', { protocolVersion: 99, clientCapabilities: { fs: 'everything' } });
  expect(await codeOf('no/such_method', {})).toBe(-32601);
  expect(await codeOf('session/new', { cwd: 7 })).toBe(-32602);
  expect(await codeOf('session/prompt', { sessionId: '../../etc', prompt: [] })).toBe(-32002);
  const { sessionId } = (await raw.request('session/new', { cwd: folder, mcpServers: [] })) as {
    sessionId: string;
  };
  expect(await codeOf('session/prompt', { sessionId, prompt: [] })).toBe(-32602);
  raw.write(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"unknown"}}\n`);
  raw.write(`{"jsonrpc":"2.0","id":12345,"result":{"outcome":"nobody asked"}}\n`);
  const prompt = { sessionId, prompt: [{ type: 'text', text: 'create a.txt with "1"' }] };
  raw.send({ id: 500, method: 'session/prompt', params: prompt });
  const asked = await raw.until((message) => message.method === 'session/request_permission');
  expect(await codeOf('session/prompt', prompt)).toBe(-32602);
  // An option that was not offered grants no permission.
  raw.send({ id: asked.id, result: { outcome: { outcome: 'selected', optionId: 'do_anything' } } });
  raw.write(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"${sessionId}"}}\n`);
  const ended = await raw.until((message) => message.id === 500);
  expect(ended.result).toEqual({ stopReason: 'cancelled' });
  expect(existsSync(join(folder, 'a.txt'))).toBe(false);
  child.stdin?.end();
  expect(await gone(child)).toBe(0);
});
