import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorIn, inEnglish } from '../../../src-renderer/i18n/errors';
import { type CommandName, commands } from '../../contract/commands';
import { AppError, type Result } from '../../contract/result';
import type { Port, ToWindow } from '../../contract/rpc';
import type { Host } from '../host';
import { cleanups, setUp } from '../testing/window';

/** Messages per command, as security.md requires. */
const MESSAGES = 1_000;
/** Characters of an oversized message. */
const HUGE = 10_000_000;

/** The same numbers on each run: mulberry32. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A compromised window: it sends anything and records the replies. */
class Intruder implements Port {
  readonly answers = new Map<number, unknown>();
  private receive: (message: unknown) => void = () => undefined;
  private waiting: { count: number; resolve: () => void } | undefined;

  post(message: unknown): void {
    const frame = message as ToWindow;
    if (frame.kind !== 'reply') return;
    this.answers.set(frame.id, frame.result);
    if (this.waiting && this.answers.size >= this.waiting.count) this.waiting.resolve();
  }
  listen(receive: (message: unknown) => void): () => void {
    this.receive = receive;
    return () => undefined;
  }
  onClose(): () => void {
    return () => undefined;
  }
  send(message: unknown): void {
    this.receive(message);
  }
  /** Resolves after that many replies. */
  answered(count: number): Promise<void> {
    if (this.answers.size >= count) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting = { count, resolve };
    });
  }
}

const STRINGS = [
  '',
  'x',
  '../../etc/passwd',
  '/etc/passwd',
  '/memories/../../x',
  'C:\\Windows\\system32',
  'file:///etc/passwd',
  '__proto__',
  'constructor',
  '\u0000',
  '\ud800',
  'a'.repeat(5_000),
  '$(touch /tmp/x)',
  '%2e%2e%2f',
  'anthropic:x',
  // A secret, which is recorded for the thread that the call names.
  `ghp_${'a1B2c3D4e5F6'.repeat(3)}`,
];

/** Generates values from a command's schema: often of the right type, often not. */
function maker(random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const junk = (): unknown =>
    pick<() => unknown>([
      () => null,
      () => undefined,
      () => pick([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER, -(2 ** 40)]),
      () => pick(STRINGS),
      () => [],
      () => [pick(STRINGS), null],
      () => ({ length: -1 }),
      () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
      () => true,
      () => new Date(Number.NaN),
      () => new Uint8Array(3),
      () => new Map([['a', 1]]),
    ])();

  const likely = (schema: z.core.$ZodType): unknown => {
    if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat)
      return random() < 0.3 ? randomUUID() : pick(STRINGS);
    if (schema instanceof z.ZodNumber) return pick([0, 1, 7, -1, 2 ** 31, 2 ** 53]);
    if (schema instanceof z.ZodBoolean) return random() < 0.5;
    if (schema instanceof z.ZodEnum) return pick(schema.options);
    if (schema instanceof z.ZodLiteral) return pick([...schema.values]);
    if (schema instanceof z.ZodArray)
      return Array.from({ length: Math.floor(random() * 4) }, () => value(schema.element));
    if (schema instanceof z.ZodRecord) return { [pick(STRINGS)]: value(schema.valueType) };
    if (schema instanceof z.ZodUnion) return value(pick(schema.options));
    if (schema instanceof z.ZodObject) return objectOf(schema);
    if (schema instanceof z.ZodOptional) return random() < 0.5 ? undefined : value(schema.unwrap());
    if (schema instanceof z.ZodNullable) return random() < 0.5 ? null : value(schema.unwrap());
    if (schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly) return value(schema.unwrap());
    if (schema instanceof z.ZodPipe) return value(schema.in);
    return junk();
  };
  const value = (schema: z.core.$ZodType): unknown => (random() < 0.12 ? junk() : likely(schema));
  const objectOf = (schema: z.ZodObject): Record<string, unknown> => {
    const made: Record<string, unknown> = {};
    for (const [key, part] of Object.entries(schema.shape)) if (random() > 0.05) made[key] = value(part);
    return made;
  };
  const extra = () => pick(['extra', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'folder', 'command']);
  /** `always`: never a valid input, for commands that take none and reach outside the process. */
  return (schema: z.ZodType, always: boolean): unknown => {
    const kind = random();
    if (kind < 0.15) return junk();
    const made = likely(schema);
    if ((always || kind < 0.35) && typeof made === 'object' && made !== null)
      Object.assign(made, { [extra()]: junk() ?? 1 });
    return made;
  };
}

const names = Object.keys(commands) as CommandName[];
/** The shape of an input; null if it is not an object. */
const shapeOf = (input: z.ZodType): Readonly<Record<string, unknown>> | null =>
  input instanceof z.ZodObject ? input.shape : null;
const takesNothing = (name: CommandName) =>
  Object.keys(shapeOf(commands[name].input) ?? { a: 1 }).length === 0;

describe('a compromised window', () => {
  let host: Host;
  let dataDir: string;
  let folder: string;
  const reports: string[] = [];
  const reached: string[] = [];
  const escaped: unknown[] = [];
  const onEscape = (error: unknown) => void escaped.push(error);
  let end: (() => unknown)[] = [];

  beforeAll(async () => {
    process.on('uncaughtException', onEscape);
    process.on('unhandledRejection', onEscape);
    const made = await setUp({
      report: (where, error) => void reports.push(`${where}: ${String(error)}`),
      // Nobody answers at this address.
      baseUrl: 'http://127.0.0.1:9',
      desktop: {
        chooseFolder: async () => null,
        reveal: (path) => void reached.push(`reveal ${path}`),
        openExternal: async (url) => {
          reached.push(`open ${url.protocol}`);
          return false;
        },
        keychain: null,
      },
    });
    ({ host, dataDir, folder } = made);
    // One host for all the tests below.
    end = cleanups.splice(0);
  });
  afterAll(async () => {
    for (const cleanup of end.reverse()) await cleanup();
    process.off('uncaughtException', onEscape);
    process.off('unhandledRejection', onEscape);
  });

  it.each(names)(
    'gets a reply to each of 1,000 odd calls of %s, and no access',
    async (name) => {
      const intruder = new Intruder();
      host.connect(intruder);
      const make = maker(numbers(names.indexOf(name) + 1));
      for (let id = 0; id < MESSAGES; id += 1) {
        intruder.send({
          kind: 'call',
          id,
          command: name,
          input: make(commands[name].input, takesNothing(name)),
        });
        // A window also releases the thread between messages.
        if (id % 50 === 49) await intruder.answered(id + 1);
      }
      await intruder.answered(MESSAGES);
      const kinds = new Set(
        [...intruder.answers.values()].map((answer) => {
          const { ok, error } = answer as { ok: unknown; error?: unknown };
          if (ok === true) return 'ok';
          const known = AppError.safeParse(error);
          return known.success && errorIn('en', known.data).message !== '' ? known.data.kind : 'no value';
        }),
      );
      expect({ internal: kinds.has('internal'), noValue: kinds.has('no value') }).toEqual({
        internal: false,
        noValue: false,
      });
      expect(kinds.has('invalid')).toBe(true);
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
      expect(escaped).toEqual([]);
      expect(reports.filter((report) => report.startsWith(`${name}:`))).toEqual([]);
    },
    60_000,
  );

  it.each(names)('is refused 10 MB for %s', async (name) => {
    const intruder = new Intruder();
    host.connect(intruder);
    const huge = 'x'.repeat(HUGE);
    const shape = shapeOf(commands[name].input) ?? {};
    const inputs = [
      huge,
      { [huge]: 1 },
      Object.fromEntries(Object.keys(shape).map((key) => [key, huge])),
      [huge],
    ];
    const sent = takesNothing(name) ? inputs.filter((_, index) => index !== 2) : inputs;
    for (const [id, input] of sent.entries()) intruder.send({ kind: 'call', id, command: name, input });
    await intruder.answered(sent.length);
    const answers = [...intruder.answers.values()] as Result<never>[];
    expect(answers.map(({ ok }) => ok)).toEqual(sent.map(() => false));
    // The reply does not echo the oversized input.
    expect(Math.max(...answers.map((one) => (one.ok ? 0 : inEnglish(one.error).length)))).toBeLessThan(
      10_000,
    );
  });

  it('gets no reply to invalid calls, and nothing breaks', async () => {
    const intruder = new Intruder();
    host.connect(intruder);
    const random = numbers(4711);
    const odd = [
      null,
      undefined,
      0,
      '',
      [],
      {},
      { kind: 'call' },
      { kind: 'event' },
      { kind: 'reply', id: 1 },
    ];
    for (let count = 0; count < MESSAGES; count += 1) {
      const at = Math.floor(random() * odd.length);
      intruder.send(odd[at]);
      intruder.send({ kind: 'cancel', id: random() < 0.5 ? count : 'x' });
      intruder.send({ kind: 'call', id: 1.5, command: names[at], input: {} });
      intruder.send({ kind: 'call', id: 1, command: names[at], input: {}, sender: 'someone else' });
      intruder.send(JSON.parse('{"kind":"call","id":1,"command":"app.open","input":{},"__proto__":{"a":1}}'));
    }
    for (const [index, command] of ['toString', '__proto__', 'constructor', 'hasOwnProperty', ''].entries())
      intruder.send({ kind: 'call', id: index, command, input: {} });
    await intruder.answered(5);
    expect([...intruder.answers.values()].map((answer) => (answer as { ok: boolean }).ok)).toEqual(
      Array.from({ length: 5 }, () => false),
    );
    expect(escaped).toEqual([]);
  });

  it('has reached no file and no program', () => {
    expect(readdirSync(folder)).toEqual([]);
    expect(
      readdirSync(dataDir)
        .filter((name) => !name.startsWith('deepdesk.db'))
        .sort(),
    ).toEqual(expect.arrayContaining(['agents', 'skills']));
    expect(readdirSync(join(dataDir, 'agents'))).toEqual([]);
    // Revealing the data folder is a separate command without a path.
    const shown = `reveal ${join(dataDir, 'deepdesk.db')}`;
    expect(reached.filter((what) => what !== shown && !/^open (https?|mailto):$/.test(what))).toEqual([]);
    expect(reports).toEqual([]);
  });
});
