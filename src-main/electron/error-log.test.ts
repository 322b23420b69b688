import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanups } from '../base/testing/cleanups';
import { errorLine, openErrorLog } from './error-log';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-log-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'logs');
}
const at = () => Date.UTC(2026, 0, 2, 3, 4, 5);

describe('a line about an error', () => {
  it('names the place, the kind, the code and where in the code it happened', () => {
    const error = Object.assign(new TypeError('x'), { code: 'ENOENT' });
    error.stack = [
      'TypeError: x',
      '    at openFile (/home/me/app/out/main/index.js:12:3)',
      '    at async file:///opt/deepdesk/resources/app.asar/out/main/chunk-a.js:4:5',
      '    at node:internal/process:1:1',
    ].join('\n');
    expect(errorLine('turn', error)).toBe('turn: TypeError ENOENT openFile@index.js:12:3 chunk-a.js:4:5');
  });

  it('contains nothing of the message, whatever the error is', () => {
    const secret = 'SECRET';
    const text = fc.string().map((around) => `${around}${secret}${around}`);
    const lookalike = text.map((inner) => `${inner}\n    at ${secret} (/tmp/${secret}.js:1:1)`);
    fc.assert(
      fc.property(fc.oneof(text, lookalike), fc.oneof(text, fc.constant('turn')), (message, where) => {
        const error = Object.assign(new Error(message), { code: `${message} code`, detail: message });
        expect(errorLine(where, error)).not.toContain(secret);
        expect(errorLine(where, message)).not.toContain(secret);
        error.name = message;
        expect(errorLine(where, error)).not.toContain(secret);
      }),
    );
  });

  it.each([
    ['the id of an AWS key', { code: 'AKIAIOSFODNN7EXAMPLE' }],
    ['a code that a server made up', { code: 'no_such_person_as_alice' }],
    ['a key', { code: 'sk-proj-abcdefghijklmnop' }],
    ['an object', { code: { key: 'AKIA' }, kind: ['AKIA'] }],
    ['a kind that is no word', { kind: 'Bearer abc' }],
  ])('does not take %s for a code', (_what, more) => {
    const error = Object.assign(new Error('x'), more, { stack: '' });
    expect(errorLine('turn', error)).toBe('turn: Error');
  });

  it.each(['ENOENT', 'EAI_AGAIN', 'ERR_HTTP2_STREAM_ERROR', 'SQLITE_BUSY', 'DEPTH_ZERO_SELF_SIGNED_CERT'])(
    'names the code %s',
    (code) => {
      const error = Object.assign(new Error('x'), { code }, { stack: '' });
      expect(errorLine('turn', error)).toBe(`turn: Error ${code}`);
    },
  );

  it.each([
    ['without a prototype', Object.assign(new Error('x'), { code: Object.create(null), stack: {} })],
    ['that is an object without a prototype', Object.create(null)],
  ])('is written for an error with data %s', (_what, error) => {
    expect(errorLine('turn', error)).toMatch(/^turn: \w+$/);
  });
});

describe('the log', () => {
  it('keeps lines across runs, readable only by the person', async () => {
    const folder = newFolder();
    const first = openErrorLog(folder, at);
    first.note('start');
    first.error('turn', new RangeError('text of a person'));
    await first.settled();
    const second = openErrorLog(folder, at);
    await second.settled();
    expect(second.lines()).toEqual([
      '2026-01-02T03:04:05.000Z start',
      expect.stringMatching(/^2026-01-02T03:04:05\.000Z turn: RangeError /),
    ]);
    if (process.platform === 'win32') return;
    expect(statSync(join(folder, 'deepdesk.log')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('keeps at most two files, and continues after a full one', async () => {
    const folder = newFolder();
    const log = openErrorLog(folder, at);
    await log.settled();
    for (const round of ['a', 'b', 'c']) {
      writeFileSync(join(folder, 'deepdesk.log'), `${round.repeat(300_000)}\n`);
      const next = openErrorLog(folder, at);
      next.note(`after ${round}`);
      await next.settled();
    }
    expect(readdirSync(folder).sort()).toEqual(['deepdesk.1.log', 'deepdesk.log']);
    expect(readFileSync(join(folder, 'deepdesk.log'), 'utf8')).toBe('2026-01-02T03:04:05.000Z after c\n');
  });

  it('continues after its folder was deleted with all data', async () => {
    const folder = newFolder();
    const log = openErrorLog(folder, at);
    await log.settled();
    rmSync(folder, { recursive: true });
    log.note('start');
    await log.settled();
    expect(readFileSync(join(folder, 'deepdesk.log'), 'utf8')).toBe('2026-01-02T03:04:05.000Z start\n');
  });

  it('works without a folder that it can write to', async () => {
    const parent = newFolder();
    writeFileSync(parent, 'a file');
    const log = openErrorLog(parent, at);
    log.note('start');
    await log.settled();
    expect(log.lines()).toEqual(['2026-01-02T03:04:05.000Z start']);
  });
});
