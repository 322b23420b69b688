import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startAnthropic } from '../../../e2e/providers/anthropic';
import type { Script } from '../../../e2e/providers/script';
import { because } from '../../contract/shared/reasons';
import { skippedNote, whySkipped } from '../../harness/sandbox/testing/bubblewrap';
import type { HostOptions } from '../host-options';
import { SlowModel } from '../testing/slow-model';
import { cleanups, isIdle, isWaiting, setUp, temp } from '../testing/window';

const NO_SANDBOX = { kind: null, reason: because('bubblewrap_missing') } as const;

interface Offered {
  name: string;
  input_schema: { properties: Record<string, unknown> };
}

/** A thread whose model is a loopback server that records its requests. */
async function withServer(script: Script, more: Partial<HostOptions> = {}) {
  const server = await startAnthropic(script, { apiKey: 'key' });
  cleanups.push(() => server.close());
  const env = { ...process.env, ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url };
  const t = await setUp({ env, ...more });
  await t.window.must('thread.setModel', { threadId: t.threadId, model: 'anthropic:claude-test' });
  const offered = (): Record<string, unknown> => {
    const body = server.requests[0]?.body as unknown as { tools: Offered[] };
    return body.tools.find(({ name }) => name === 'execute')?.input_schema.properties ?? {};
  };
  return { ...t, server, offered };
}

describe('the execute tool of a thread', () => {
  it.skipIf(whySkipped !== null)(
    `offers to run outside the sandbox, and the approval shows the agent's reason [compat 21]${skippedNote}`,
    async () => {
      const place = temp('outside');
      let step = 0;
      const t = await withServer(() =>
        step++ === 0
          ? {
              calls: [
                {
                  name: 'execute',
                  args: { command: `touch ${place}/x`, outside_sandbox: 'x belongs there' },
                },
              ],
            }
          : { text: 'Done.' },
      );
      await t.window.must('project.setMode', { projectId: t.projectId, mode: 'auto-sandbox', loosen: true });
      await t.say('go');
      const { approvals } = await t.window.until(isWaiting(1));
      expect(t.offered()).toHaveProperty('outside_sandbox');
      expect(approvals[0]?.preview).toMatchObject({ outsideSandbox: true, outsideReason: 'x belongs there' });
      await t.window.decide(0, { type: 'approve' });
      await t.window.until(isIdle);
      expect(existsSync(join(place, 'x'))).toBe(true);
    },
  );

  it('does not offer that without a sandbox [compat 21]', async () => {
    const t = await withServer(() => ({ text: 'Hello.' }), { sandbox: NO_SANDBOX });
    await t.say('go');
    await t.window.until(isIdle);
    expect(Object.keys(t.offered())).toEqual(['command', 'background', 'timeout']);
  });

  it('shows the time of its terminal, without what surrounds the command', async () => {
    const t = await setUp({ sandbox: NO_SANDBOX });
    await t.window.must('app.open', {});
    SlowModel.into(t.host, [[{ name: 'execute', args: { command: 'echo hi > a; sleep 0.05' } }]]);
    await t.say('go');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    const ran = t.window.events.findLast((event) => event.type === 'terminal.changed')?.terminal;
    expect(ran?.endedAt).toBeDefined();
    expect(t.window.calls[0]?.durationMs).toBe((ran?.endedAt ?? 0) - (ran?.startedAt ?? 0));
  });

  it('states the exit code of a failed command once [compat 25]', async () => {
    const t = await setUp({ sandbox: NO_SANDBOX });
    await t.say('run cat missing.txt');
    await t.window.until(isIdle);
    expect(t.window.calls[0]?.result?.match(/exit code/gi)).toHaveLength(1);
  });

  it('treats a timeout of 0 as the maximum, and the card says so [compat 25]', async () => {
    const t = await setUp({ sandbox: NO_SANDBOX });
    SlowModel.into(t.host, [[{ name: 'execute', args: { command: 'echo hi > a', timeout: 0 } }]]);
    await t.say('go');
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]?.preview).toMatchObject({ timeoutSeconds: 3_600 });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(t.window.calls[0]).toMatchObject({ status: 'done', exitCode: 0 });
    expect(readFileSync(join(t.folder, 'a'), 'utf8')).toBe('hi\n');
  });

  it('runs 26 commands of one answer in parallel without a listener warning [compat 25]', async () => {
    const warnings: string[] = [];
    const onWarning = (warning: Error) => warnings.push(warning.stack ?? warning.message);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const t = await setUp({ sandbox: NO_SANDBOX });
    writeFileSync(join(t.folder, 'a'), 'text');
    const call = { name: 'execute', args: { command: 'cat a' } };
    SlowModel.into(t.host, [Array.from({ length: 26 }, () => call)]);
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status }) => status)).toEqual(Array.from({ length: 26 }, () => 'done'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });
});
