import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { expect, test } from './support/app';
import { inEditor, newSession, running, say, temporary, textOf } from './support/editor';

test('says why when the folder disappears while the agent works', async () => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  await inEditor(temporary('data'), async ({ agent }) => {
    const folder = temporary('acp');
    const { sessionId } = await newSession(agent, folder);
    const command = `sleep 4714.${process.pid}`;
    const said = say(agent, sessionId, `run ${command}`).then(
      ({ stopReason }) => stopReason,
      (error: unknown) => String(error),
    );
    // Its call is in progress before it starts, and fails without its folder.
    await expect.poll(() => running(command), { timeout: 60_000 }).toBeGreaterThan(0);
    rmSync(folder, { recursive: true });
    expect(await said).toContain(`The folder ${folder} no longer exists`);
  });
});

test('refuses further folders with a reason', async () => {
  const folder = temporary('acp');
  await inEditor(temporary('data'), async ({ agent }) => {
    const refused = agent.request(methods.agent.session.new, {
      cwd: folder,
      mcpServers: [],
      additionalDirectories: [temporary('other')],
    });
    await expect(refused).rejects.toMatchObject({ code: -32602, message: /one folder/ });
    const { sessionId } = await newSession(agent, folder);
    await agent.request(methods.agent.session.close, { sessionId });
    await expect(say(agent, sessionId, 'list files')).rejects.toMatchObject({ code: -32002 });
    await agent.request(methods.agent.session.load, { sessionId, cwd: folder, mcpServers: [] });
    expect(await say(agent, sessionId, 'list files')).toEqual({ stopReason: 'end_turn' });
  });
});

test('changes mode and model, and rejects unknown ones', async () => {
  const folder = temporary('acp');
  await inEditor(temporary('data'), async ({ agent, questions }) => {
    const { sessionId } = await newSession(agent, folder);
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'plan' });
    await say(agent, sessionId, 'create a.txt with "1"');
    expect([existsSync(join(folder, 'a.txt')), questions.length]).toEqual([false, 0]);
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'ask-risky' });
    const refused = (work: Promise<unknown>) =>
      work.then(
        () => 'accepted',
        ({ code }: { code: number }) => code,
      );
    expect(await refused(agent.request(methods.agent.session.setMode, { sessionId, modeId: 'yolo' }))).toBe(
      -32602,
    );
    const option = { sessionId, configId: 'model', value: 'nobody:nothing' };
    expect(await refused(agent.request(methods.agent.session.setConfigOption, option))).toBe(-32602);
    expect(await refused(say(agent, 'no-such-session', 'hello'))).toBe(-32002);
    expect(await refused(newSession(agent, join(folder, 'missing')))).toBe(-32002);
    expect(await refused(newSession(agent, 'relative'))).toBe(-32602);
  });
});

test('tells every session of a folder that its mode changed', async () => {
  const folder = temporary('acp');
  await inEditor(temporary('data'), async ({ agent, updates }) => {
    const { sessionId } = await newSession(agent, folder);
    const other = await newSession(agent, folder);
    const elsewhere = await newSession(agent, temporary('acp'));
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'plan' });
    const modes = () => updates.filter(({ sessionUpdate }) => sessionUpdate === 'current_mode_update');
    const plan = { sessionUpdate: 'current_mode_update', currentModeId: 'plan' };
    await expect.poll(modes).toEqual([plan, plan]);
    expect([other, elsewhere].map(({ modes: shown }) => shown?.currentModeId)).toEqual([
      'ask-risky',
      'ask-risky',
    ]);
    const { modes: now } = await agent.request(methods.agent.session.load, {
      sessionId: other.sessionId,
      cwd: folder,
      mcpServers: [],
    });
    expect(now?.currentModeId).toBe('plan');
    await agent.request(methods.agent.session.setMode, { sessionId: other.sessionId, modeId: 'plan' });
    await say(agent, elsewhere.sessionId, 'help');
    expect(modes()).toEqual([plan, plan]);
  });
});

test('refuses a message that is too long, and continues', async () => {
  await inEditor(temporary('data'), async ({ agent, updates }) => {
    const { sessionId } = await newSession(agent, temporary('acp'));
    await expect(say(agent, sessionId, 'x'.repeat(2_000_001))).rejects.toMatchObject({
      code: -32602,
      message: 'The message is too long. It can have up to 2,000,000 characters. Attach the text as a file.',
    });
    expect(await say(agent, sessionId, 'help')).toEqual({ stopReason: 'end_turn' });
    expect(textOf(updates)).not.toBe('');
  });
});

test('cancels while it asks: nothing runs, and the session continues', async () => {
  const folder = temporary('acp');
  let cancel = () => Promise.resolve();
  await inEditor(
    temporary('data'),
    async ({ agent }) => {
      const { sessionId } = await newSession(agent, folder);
      cancel = () => agent.notify(methods.agent.session.cancel, { sessionId });
      expect(await say(agent, sessionId, 'create a.txt with "1"')).toEqual({ stopReason: 'cancelled' });
      expect(existsSync(join(folder, 'a.txt'))).toBe(false);
      expect(await say(agent, sessionId, 'list files')).toEqual({ stopReason: 'end_turn' });
    },
    async () => {
      await cancel();
      return null;
    },
  );
});
