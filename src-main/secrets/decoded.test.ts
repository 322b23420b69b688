import { describe, expect, it } from 'vitest';
import { standardTime } from '../base/testing/processor-time';
import { decodedIn } from './decoded';
import { ThreadSecrets } from './thread-secrets';

const TOKEN = 'ghp_kJ82hs91ksOq02nsLa91MspZk38Q1aPq92mX';
const PASSWORD = 'hunter22horse-battery';
const FILE = `# settings\nname=x\nDB_PASSWORD=${PASSWORD}\nother: "ü"\nAPI_TOKEN=${TOKEN}\nend of the settings\n`;

const secrets = () =>
  new ThreadSecrets({
    book: { list: () => [], save: () => undefined },
    key: new Uint8Array(32),
    values: new Map(),
    own: () => ['canary-4711-0815-own'],
    isGuarded: () => true,
  });

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
const offset = (at: number, digits: number, base = 16) => at.toString(base).padStart(digits, '0');
const ascii = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^ -~]/g, '.');
const groups = (bytes: Uint8Array, size: number) =>
  hex(bytes)
    .join('')
    .replace(new RegExp(`.{${2 * size}}(?=.)`, 'g'), '$& ');
const swapped = (bytes: Uint8Array) => {
  const even = Buffer.alloc(bytes.length + (bytes.length % 2), bytes);
  return groups(even.fill(0, bytes.length).swap16(), 2);
};
const cell = (byte: number) =>
  byte === 10 ? '  \\n' : byte > 126 ? ` ${byte.toString(8)}` : `   ${String.fromCharCode(byte)}`;

/** What these programs print. */
const DUMPS: Record<string, (line: Uint8Array, at: number) => string> = {
  xxd: (line, at) => `${offset(at, 8)}: ${groups(line, 2).padEnd(39)}  ${ascii(line)}`,
  'xxd -g1': (line, at) => `${offset(at, 8)}: ${groups(line, 1).padEnd(47)}  ${ascii(line)}`,
  'hexdump -C': (line, at) =>
    `${offset(at, 8)}  ${[line.subarray(0, 8), line.subarray(8)]
      .map((half) => groups(half, 1))
      .join('  ')
      .padEnd(48)}  |${ascii(line)}|`,
  hexdump: (line, at) => `${offset(at, 7)} ${swapped(line)}`,
  'od -x': (line, at) => `${offset(at, 7, 8)} ${swapped(line)}`,
  'od -tx1': (line, at) => `${offset(at, 7, 8)} ${groups(line, 1)}`,
  'od -An -tx1': (line) => ` ${groups(line, 1)}`,
  'od -c': (line, at) => `${offset(at, 7, 8)}${[...line].map(cell).join('')}`,
};
function dump(program: string, text: string): string {
  const bytes = Buffer.from(text);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16)
    lines.push(DUMPS[program]?.(new Uint8Array(bytes.subarray(at, at + 16)), at) ?? '');
  return `${lines.join('\n')}\n`;
}
const wrapped = (text: string, width: number) => text.replace(new RegExp(`.{${width}}(?=.)`, 'g'), '$&\n');

describe('a secret that was never seen as plain text', () => {
  it.each(Object.keys(DUMPS))('is redacted in what %s prints, with the characters beside it', (program) => {
    const printed = dump(program, FILE);
    const clean = secrets().redact(`$ ${program} settings\n${printed}`);
    expect(clean).toContain('[secret redacted: password in hex, #1]');
    expect(clean).toContain('[secret redacted: GitHub token in hex, #2]');
    expect(clean.split('\n')[1]).toBe(printed.split('\n')[0]);
    const left = [...decodedIn(clean)].map(({ text }) => text).join('');
    for (const part of ['hunter22', 'horse-b', 'battery', 'kJ82hs91', 'PaPq92mX']) {
      expect(left).not.toContain(part);
      expect(clean).not.toContain(part);
    }
  });

  it.each([
    ['base64', Buffer.from(FILE).toString('base64')],
    ['base64', wrapped(Buffer.from(FILE).toString('base64'), 76)],
    ['base64', wrapped(Buffer.from(FILE).toString('base64'), 64).replaceAll('\n', '\n     2\t')],
    ['base64', `settings: ${Buffer.from(FILE).toString('base64url')}, more`],
    ['hex', Buffer.from(FILE).toString('hex')],
    ['hex', wrapped(Buffer.from(FILE).toString('hex'), 60)],
  ])('is redacted in %s: %j', (form, written) => {
    const clean = secrets().redact(written);
    expect(clean).toContain(`[secret redacted: password in ${form}, #1]`);
    expect(clean).toContain(`[secret redacted: GitHub token in ${form}, #2]`);
  });

  it('is written back to the file that it came from', () => {
    const thread = secrets();
    const written = `data: ${Buffer.from(FILE).toString('base64')}\n`;
    const clean = thread.redact(written, { tool: 'read_file', path: '/p/a.yaml' });
    expect(thread.restore(clean, '/p/a.yaml')).toEqual({ kind: 'restored', text: written });
  });

  it('is shown in every form once the person allowed it', () => {
    const thread = secrets();
    thread.allowIn(`DB_PASSWORD=${PASSWORD}`);
    const printed = dump('xxd', `DB_PASSWORD=${PASSWORD}\nname=x and more\n`);
    expect(thread.redact(printed)).toBe(printed);
  });
});

it('keeps encoded text without secrets, and text that only looks encoded', () => {
  for (const text of [
    Buffer.from('The quick brown fox jumps over the lazy dog. '.repeat(10)).toString('base64'),
    dump('xxd', 'An ordinary text without anything to hide in it.\n'),
    'import x from "./src-main/approvals/bash/analyze-the-whole-line";\n'.repeat(10),
    `${'deadbeef'.repeat(8)}  file.tar.gz\n`,
    'sha512-zK3yJ8r2LkQ1m0n5o7p9q2r4t6v8x0z1B3D5F7H9J1L3N5P7R9T1V3X5Z7b9d1f3h5j7l9n1p3r5t7v9x1z3==',
  ])
    expect(secrets().redact(text)).toBe(text);
});

it.each([
  ['one long word', 'a/b'.repeat(3_000_000)],
  ['many words that are almost long enough', `${'x'.repeat(23)}\n`.repeat(400_000)],
  ['base64 of text', `${'QUJD'.repeat(20)}\n`.repeat(120_000)],
  ['a dump', '00000000: 4142 4344 4546  ABCDEF\n'.repeat(300_000)],
  ['almost a dump', ` ${'ab '.repeat(31)}z\n`.repeat(100_000)],
  ['numbers of lines', '1\t'.repeat(5_000_000)],
])('takes linear time for %s', async (_, text) => {
  expect(await standardTime(() => [...decodedIn(text)], 1)).toBeLessThan(2_000);
});
