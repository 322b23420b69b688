import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/process.mjs';
import { currentRun } from './run';

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** Runs `npm run agent` like a person; `until` sends a signal when the output contains that text. */
export function agent(
  args: string[],
  options: {
    env?: Record<string, string>;
    until?: string | ((output: string) => boolean);
    /** Checked periodically, for conditions that the output does not show. */
    when?: () => boolean;
    signal?: NodeJS.Signals;
    /** A file for standard output instead of `out`. */
    stdout?: number;
  } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'scripts/agent.mjs'), ...args], {
      env: { ...process.env, ...options.env },
      stdio: ['pipe', options.stdout ?? 'pipe', 'pipe'],
      // A separate process group, so that a kill reaches all of it simultaneously, like a power cut.
      detached: true,
    });
    let out = '';
    let err = '';
    let isEnded = false;
    const end = () => {
      clearInterval(watch);
      if (isEnded) return;
      isEnded = true;
      if (options.signal === 'SIGKILL' && child.pid) process.kill(-child.pid, 'SIGKILL');
      else child.kill(options.signal ?? 'SIGINT');
    };
    const { until, when } = options;
    const watch = when && setInterval(() => when() && end(), 20);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (typeof until === 'string' ? out.includes(until) : until?.(out) === true) end();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('close', (code) => {
      clearInterval(watch);
      resolve({ code, out, err });
    });
  });
}

/** A new folder, and the arguments that run the agent there with a new data folder. */
export function setUp() {
  const folder = mkdtempSync(join(currentRun().temp, 'deepdesk-headless-'));
  const dataDir = mkdtempSync(join(currentRun().temp, 'deepdesk-data-'));
  return { folder, dataDir, base: ['--folder', folder, '--data-dir', dataDir] };
}

/** The fields of an event that the tests check. */
interface Printed {
  type: string;
  threadId: string;
  seq: number;
  reason?: string;
  message?: { role: string; id: string };
  approval?: { args: { file_path: string } };
}

/** The events that `--json` printed. */
export const events = (ran: Ran) =>
  ran.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Printed);
