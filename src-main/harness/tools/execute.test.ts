import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CompositeBackend, LocalShellBackend, PolicyBackend, StateBackend } from '../backends';
import type { CommandRunner } from '../backends/commands';
import type { BackendProtocol } from '../backends/protocol';
import { executeTool } from './execute';

/** The seconds that a command may take if its call says `asked`, in the shell's `timeout` and the program's maximum. */
async function limitOf(
  { timeout, maxTimeout, asked }: { timeout?: number; maxTimeout?: number; asked?: number },
  wrapped: (shell: LocalShellBackend) => BackendProtocol = (shell) => shell,
) {
  const limits: number[] = [];
  const runner: CommandRunner = {
    run: async (_command, { timeoutMs }) => {
      limits.push(timeoutMs / 1_000);
      return { output: '', exitCode: 0, truncated: false, timedOut: false, durationMs: 1 };
    },
  };
  const shell = new LocalShellBackend({
    rootDir: '/',
    runner,
    ...(timeout === undefined ? {} : { timeout }),
  });
  const args = { command: 'true', ...(asked === undefined ? {} : { timeout: asked }) };
  await executeTool(wrapped(shell), 'd', maxTimeout).invoke({
    type: 'tool_call',
    id: 'c',
    name: 'execute',
    args,
  });
  return limits[0];
}

describe('execute', () => {
  it('gives a command the time that its call, or else its backend, says', async () => {
    expect(await limitOf({})).toBe(120);
    expect(await limitOf({ timeout: 5 })).toBe(5);
    expect(await limitOf({ timeout: 5, asked: 9 })).toBe(9);
    expect(await limitOf({ timeout: 5, asked: 0 })).toBe(3_600);
    expect(await limitOf({ timeout: 0 })).toBe(3_600);
    expect(await limitOf({ timeout: 7_200 })).toBe(7_200);
    expect(await limitOf({ timeout: 7_200, maxTimeout: 60 })).toBe(60);
    expect(await limitOf({ maxTimeout: 60 })).toBe(60);
  });

  it('knows the time that a wrapped backend says', async () => {
    const routes = { '/memories/': new StateBackend() };
    expect(await limitOf({ timeout: 5 }, (shell) => new CompositeBackend(shell, routes))).toBe(5);
    const shell = new LocalShellBackend({ rootDir: '/', timeout: 5 });
    expect(new PolicyBackend(shell, { denyPrefixes: ['/x'] }).commandTimeout).toBe(5);
  });

  it('tells the model these times', () => {
    const shell = new LocalShellBackend({ rootDir: '/', timeout: 5 });
    const schema = JSON.stringify(z.toJSONSchema(executeTool(shell, 'd', 60).schema as z.ZodType));
    expect(schema).toContain('Timeout in seconds. Default 5, maximum 60; 0 means the maximum');
  });
});

describe('a shell with the timeout 0', () => {
  it('lets commands run as long as they take', async () => {
    expect((await new LocalShellBackend({ rootDir: '/', timeout: 0 }).execute('echo hi')).output).toBe(
      'hi\n',
    );
  });
});
