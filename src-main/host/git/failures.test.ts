import { describe, expect, it } from 'vitest';
import { failureOf } from './failures';

const failed = (stderr: string) =>
  failureOf({ end: 'exited', code: 1, stdout: Buffer.alloc(0), stderr })?.error.detail;

describe('an error of git', () => {
  it('shows addresses without names and passwords', () => {
    expect(failed("fatal: unable to access 'https://ada:hunter2@host/x': ssh://bob@other:22")).toBe(
      "fatal: unable to access 'https://…@host/x': ssh://…@other:22",
    );
  });

  it('is read in a moment, however long it is', () => {
    const started = process.cpuUsage();
    expect(failed('a'.repeat(200_000))).toHaveLength(4_000);
    expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(10);
  });
});
