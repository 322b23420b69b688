import { describe, expect, it } from 'vitest';
import { standardTime } from '../base/testing/processor-time';
import { CallId } from '../contract/ids';
import { SecretStream } from './stream';
import { type KnownSecret, ThreadSecrets } from './thread-secrets';

const TOKEN = 'ghp_kJ82hs91ksOq02nsLa91MspZk38Q1aPq92mX';
const PASSWORD = 'hunter22horse';
const OWN = 'canary-4711-0815-own';

function secrets(options: { guarded?: boolean; saved?: KnownSecret[]; own?: string } = {}) {
  const saved = options.saved ?? [];
  const kept = new Map(saved.map((one) => [one.number, one]));
  const values = new Map<string, string>();
  const made = () =>
    new ThreadSecrets({
      book: { list: () => [...kept.values()], save: (one) => void kept.set(one.number, one) },
      key: new Uint8Array(32),
      values,
      own: () => [options.own ?? OWN],
      isGuarded: () => options.guarded ?? true,
    });
  return { thread: made(), again: made, kept, values };
}

describe('redacting', () => {
  it('replaces a secret with a numbered placeholder, the same for equal values', () => {
    const { thread } = secrets();
    expect(thread.redact(`a ${TOKEN} b ${TOKEN}\nDB_PASSWORD=${PASSWORD}`)).toBe(
      'a [secret redacted: GitHub token, #1] b [secret redacted: GitHub token, #1]\nDB_PASSWORD=[secret redacted: password, #2]',
    );
    expect(thread.redact(`and ${PASSWORD} alone`)).toBe('and [secret redacted: password, #2] alone');
  });

  it.each([76, 64, 20])('finds the value if a program breaks lines after %i characters', (width) => {
    const { thread } = secrets();
    thread.redact(TOKEN);
    const broken = (text: string, end = '\n') =>
      text.replace(new RegExp(`.{${width}}(?=.)`, 'g'), (part) => part + end);
    for (let before = 0; before < width; before += 7) {
      const file = `${'x'.repeat(before)} KEY=${TOKEN} ${'y'.repeat(90)}`;
      for (const written of [file, Buffer.from(file).toString('base64'), Buffer.from(file).toString('hex')])
        for (const end of ['\n', '\r\n', '\n     2\t'])
          expect(thread.redact(broken(written, end))).toContain('[secret redacted: GitHub token');
    }
  });

  it('finds a broken value in a long text, wherever its first line ends', () => {
    const { thread } = secrets();
    thread.redact(TOKEN);
    const long = 'an ordinary line of output\n'.repeat(10_000);
    for (let first = 1; first < 16; first += 1) {
      const lines = [TOKEN.slice(0, first), ...(TOKEN.slice(first).match(/.{1,16}/g) ?? [])];
      expect(thread.redact(`${long}${lines.join('\n')}\n${long}`)).toContain(
        '[secret redacted: GitHub token',
      );
    }
  });

  it('restores a value that was encoded, and knows its placeholder', () => {
    const { thread } = secrets();
    thread.redact(TOKEN);
    for (const written of ['base64', 'hex'].map((form) => Buffer.from(TOKEN).toString(form as 'hex'))) {
      const text = `data: ${written}\n`;
      const clean = thread.redact(text, { tool: 'read_file', path: '/p/a.yaml' });
      expect(thread.restore(clean, '/p/a.yaml')).toEqual({ kind: 'restored', text });
      expect(thread.restore(clean, '/p/other')).toMatchObject({ kind: 'elsewhere' });
      expect(thread.placeholderIn(clean)).toBeGreaterThan(1);
    }
  });

  it('finds the value in base64, hexadecimal and reversed text, at any position', () => {
    const { thread } = secrets();
    thread.redact(TOKEN);
    for (const before of ['', 'x', 'xy', 'xyz']) {
      const written = Buffer.from(`${before}KEY=${TOKEN}\n`).toString('base64');
      expect(thread.redact(written)).toContain('[secret redacted: GitHub token in base64, #');
      expect(Buffer.from(thread.redact(written), 'base64').toString()).not.toContain(TOKEN.slice(8, -8));
    }
    expect(thread.redact(Buffer.from(TOKEN).toString('hex'))).toMatch(
      /^\[secret redacted: GitHub token in hex, #\d+\]$/,
    );
    expect(thread.redact([...TOKEN].reverse().join(''))).toMatch(/in reverse, #\d+\]$/);
  });

  it.each<[form: string, write: (value: string) => string]>([
    ['JSON', (value) => JSON.stringify({ value })],
    ['JSON', (value) => JSON.stringify({ value }).replaceAll('/', '\\/')],
    ['JSON', (value) => JSON.stringify(JSON.stringify({ value }))],
    [
      'JSON',
      (value) =>
        JSON.stringify({ value })
          .replaceAll('<', '\\u003c')
          .replaceAll('&', '\\u0026')
          .replaceAll('\u00e9', '\\u00e9'),
    ],
    ['HTML', (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')],
    ['percent signs', (value) => encodeURIComponent(value)],
    ['percent signs', (value) => encodeURIComponent(value).toLowerCase()],
    ['percent signs', (value) => encodeURI(value)],
  ])('finds a value with marks that are escaped in %s', (form, write) => {
    const value = 'pa/ss"w<o&r\u00e9\\d123';
    const { thread } = secrets({ own: value });
    expect(thread.redact(write(value))).toMatch(new RegExp(`key of Deepdesk in ${form}, #1\\]`));
  });

  it('redacts a value with half of a character again and again', () => {
    const { thread } = secrets();
    const text = 'DB_PASSWORD=hunter22\ud83d22horse';
    for (const _ of [1, 2]) expect(thread.redact(text)).toBe('DB_PASSWORD=[secret redacted: password, #1]');
  });

  it.each(['\u001b(B', '\u009b31m', '\u001bP1$r0m\u001b\\', '\u001b[1;31m'])(
    'redacts a value that is interrupted by what only steers a terminal: %j',
    (sequence) => {
      const { thread } = secrets();
      const text = `${TOKEN.slice(0, 9)}${sequence}${TOKEN.slice(9)} end`;
      expect(thread.redact(text)).toBe('[secret redacted: GitHub token, #1] end');
    },
  );

  it('redacts a partly colored value in terminal output', () => {
    const { thread } = secrets();
    const colored = `\u001b[31mghp_\u001b[0m${TOKEN.slice(4)}\u001b[1m end`;
    expect(thread.redact(colored)).toBe('\u001b[31m[secret redacted: GitHub token, #1]\u001b[1m end');
  });

  it('reports its file and line', () => {
    const { thread } = secrets();
    const callId = CallId.parse('c1');
    thread.redact(`     1\tA=1\n     2\tTOKEN=${TOKEN}`, { tool: 'read_file', path: '/p/.env', callId });
    thread.redact(`/p/a.ts:\n  7: one\n  9: x("${TOKEN}")`, { tool: 'grep', callId });
    thread.redact(`first\n${TOKEN}`, { tool: 'execute', callId });
    expect(thread.list()).toEqual([
      {
        number: 1,
        kind: 'github-token',
        allowed: false,
        places: [
          { path: '/p/.env', line: 2, tool: 'read_file', callId },
          { path: '/p/a.ts', line: 9, tool: 'grep', callId },
          { line: 2, tool: 'execute', callId },
        ],
      },
    ]);
    expect(thread.numbersOf('c1')).toEqual([1]);
  });

  it('reports it quickly if an earlier line is long [safety 24]', async () => {
    const { thread } = secrets();
    const redact = () => thread.redact(`${'a:'.repeat(200_000)}\n  9: x("${TOKEN}")`, { tool: 'grep' });
    expect(await standardTime(redact, 1)).toBeLessThan(2_000);
    expect(thread.list()[0]?.places[0]).toMatchObject({ line: 9 });
  });

  it('stores numbers and decisions, but no value', () => {
    const { thread, again, kept } = secrets();
    thread.redact(`DB_PASSWORD=${PASSWORD}`);
    thread.redact(TOKEN);
    thread.allow(1, true);
    expect(JSON.stringify([...kept.values()])).not.toMatch(new RegExp(`${PASSWORD}|${TOKEN}`));
    expect(again().redact(`DB_PASSWORD=${PASSWORD} ${TOKEN}`)).toBe(
      `DB_PASSWORD=${PASSWORD} [secret redacted: GitHub token, #2]`,
    );
  });

  it('shows values that the user allows, and redacts them again when the user undoes that', () => {
    const { thread } = secrets();
    thread.redact(TOKEN);
    expect(thread.allow(1, true)).toBe(true);
    expect(thread.redact(TOKEN)).toBe(TOKEN);
    thread.allow(1, false);
    expect(thread.redact(TOKEN)).toBe('[secret redacted: GitHub token, #1]');
  });

  it("never allows Deepdesk's own keys", () => {
    const { thread } = secrets({ guarded: false });
    expect(thread.redact(`${TOKEN} ${OWN}`)).toBe(`${TOKEN} [secret redacted: key of Deepdesk, #1]`);
    expect(thread.allow(1, true)).toBe(false);
    expect(thread.redact(Buffer.from(OWN).toString('base64'))).toContain(
      '[secret redacted: key of Deepdesk in base64',
    );
  });
});

describe('restoring', () => {
  it("happens only in the file of the value, or with the person's permission", () => {
    const { thread } = secrets();
    const shown = thread.redact(`     1\tT=${TOKEN}`, { tool: 'read_file', path: '/p/.env' });
    const text = shown.split('\t')[1] ?? '';
    expect(thread.restore(text, '/p/.env')).toEqual({ kind: 'restored', text: `T=${TOKEN}` });
    expect(thread.restore(text, '/p/public.txt')).toEqual({ kind: 'elsewhere', number: 1 });
    thread.allow(1, true);
    expect(thread.restore(text, '/p/public.txt')).toEqual({ kind: 'restored', text: `T=${TOKEN}` });
  });

  it('restores the placeholder that threads saved by an earlier version contain', () => {
    const { thread } = secrets();
    thread.redact(`T=${TOKEN}`, { path: '/p/.env' });
    const earlier = 'T=[secret withheld: GitHub token, #1]';
    expect(thread.restore(earlier, '/p/.env')).toEqual({ kind: 'restored', text: `T=${TOKEN}` });
    expect(thread.restore(earlier, '/p/public.txt')).toEqual({ kind: 'elsewhere', number: 1 });
  });

  it('reports that a value is gone, and leaves foreign placeholders alone', () => {
    const { thread, again, values } = secrets();
    const shown = thread.redact(TOKEN, { path: '/p/.env' });
    values.clear();
    expect(again().restore(shown, '/p/.env')).toEqual({ kind: 'gone', number: 1 });
    const other = '[secret redacted: GitHub token, #77]';
    expect(thread.restore(other, '/p/.env')).toEqual({ kind: 'restored', text: other });
  });

  it('restores a private key without the line numbers of the page', () => {
    const { thread } = secrets();
    const key = [
      '-----BEGIN PRIVATE KEY-----',
      'A1b2C3d4'.repeat(8),
      'Z9y8X7w6'.repeat(8),
      '-----END PRIVATE KEY-----',
    ].join('\n');
    const page = key
      .split('\n')
      .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
      .join('\n');
    expect(thread.redact(page, { tool: 'read_file', path: '/p/k.pem' })).toBe(
      '     1\t[secret redacted: private key, #1]',
    );
    expect(thread.restore('[secret redacted: private key, #1]', '/p/k.pem')).toEqual({
      kind: 'restored',
      text: key,
    });
  });
});

const streamOf = (thread: ThreadSecrets) =>
  new SecretStream(
    (part) => thread.redact(part),
    (part) => thread.detect(part),
  );

describe('a stream', () => {
  it.each([1, 3, 7, 64])('in pieces of %i is redacted like the whole text', (size) => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'A1b2C3d4'.repeat(8)}\n-----END PRIVATE KEY-----`;
    const text = `start ${TOKEN}\n${key}\nDB_PASSWORD=${PASSWORD}\nend`;
    const whole = secrets().thread.redact(text);
    const { thread } = secrets();
    const stream = streamOf(thread);
    let out = '';
    for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
    expect(out + stream.end()).toBe(whole);
  });

  it('with one endless line is passed on gradually', () => {
    const { thread } = secrets();
    const stream = streamOf(thread);
    const piece = 'all work and no play '.repeat(100);
    let out = '';
    for (let n = 0; n < 100; n++) out += stream.push(n === 50 ? `${piece} ${TOKEN} ` : piece);
    expect(out.length).toBeGreaterThan(150_000);
    const all = out + stream.end();
    expect(all).toContain('[secret redacted: GitHub token, #1]');
    expect(all).not.toContain(TOKEN);
  });

  it('with one endless line has no known value where it is cut', () => {
    const { thread } = secrets();
    for (let before = 4_000; before < 5_000; before += 9) {
      const stream = streamOf(thread);
      const out = stream.push('x'.repeat(before) + OWN + 'y'.repeat(16_700 - before));
      expect(out + stream.end()).not.toContain(OWN);
    }
  });
});
