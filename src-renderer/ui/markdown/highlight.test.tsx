import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { InProcessHighlights } from '../../testing/in-process-highlights';
import { Diff } from '../diff';
import { CodeBlock } from './code-block';
import { carriedOver, setHighlightWorker } from './highlight';
import { Highlighter, type HighlightRequest } from './highlighter';

/** A worker that hangs on some code: it starts, but never answers for text that contains `hold`. */
class Held extends InProcessHighlights {
  static started = 0;
  static asked: string[] = [];

  constructor() {
    super();
    Held.started += 1;
  }

  override postMessage(request: HighlightRequest): void {
    Held.asked.push(request.code);
    if (request.code.includes('hold')) this.send({ id: request.id, kind: 'started' });
    else super.postMessage(request);
  }
}

beforeEach(() => {
  Held.started = 0;
  Held.asked = [];
  setHighlightWorker(() => new Held());
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  setHighlightWorker(undefined);
});

const colors = (element: Element) =>
  [...element.querySelectorAll<HTMLElement>('span[style*="--code-"]')].map((one) => one.textContent);

it('colors code and changes in a worker, and keeps the colors of unchanged lines while the rest is colored', async () => {
  const { container, rerender } = render(<CodeBlock code={'const a = 1;\nlet b;'} language="ts" />);
  expect(colors(container)).toEqual([]);
  await waitFor(() => expect(colors(container)).toContain('let'));
  rerender(<CodeBlock code={'const a = 1;\nvar hold;'} language="ts" />);
  expect(colors(container)).toContain('const');
  expect(colors(container)).not.toContain('let');
  expect(container.querySelector('code')?.textContent).toBe('const a = 1;\nvar hold;\n');
});

it('colors both sides of a diff', async () => {
  const hunk = { oldStart: 1, newStart: 1, lines: [' const a = 1;', '-let b;', '+var b;'] };
  const { container } = render(<Diff hunks={[hunk]} label="d" file="a.ts" />);
  await waitFor(() => expect(colors(container)).toEqual(expect.arrayContaining(['const', 'let', 'var'])));
});

it('terminates a worker that hangs, colors the next code, and leaves the first plain after a second attempt [safety 24]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const highlighter = new Highlighter(() => new Held());
  const answers: unknown[] = [];
  highlighter.ask('hold()', 'javascript', (tokens) => answers.push(tokens));
  const colored = new Promise((done) => highlighter.ask('let a', 'javascript', done));
  expect([Held.started, Held.asked]).toEqual([1, ['hold()']]);
  vi.advanceTimersByTime(2_000);
  expect(answers).toEqual([]);
  expect([Held.started, Held.asked]).toEqual([2, ['hold()', 'let a']]);
  expect(await colored).toEqual([[{ text: 'let', color: 'var(--code-keyword)' }, { text: ' a' }]]);
  expect(Held.asked).toEqual(['hold()', 'let a', 'hold()']);
  vi.advanceTimersByTime(2_000);
  expect(answers).toEqual([]);
  vi.advanceTimersByTime(3_000);
  expect(answers).toEqual([null]);
  highlighter.ask('hold()', 'javascript', (tokens) => answers.push(tokens));
  expect(answers).toEqual([null, null]);
  expect(Held.asked).toEqual(['hold()', 'let a', 'hold()']);
});

it('requests the same code once, and skips code that nobody waits for any more', async () => {
  const highlighter = new Highlighter(() => new Held());
  const first = new Promise((done) => highlighter.ask('let a', 'javascript', done));
  const again = new Promise((done) => highlighter.ask('let a', 'javascript', done));
  highlighter.ask('let gone', 'javascript', () => undefined)();
  expect(await first).toBe(await again);
  const last = new Promise((done) => highlighter.ask('let b', 'javascript', done));
  await last;
  expect(Held.asked).toEqual(['let a', 'let b']);
  expect(highlighter.known('let a', 'javascript')).toBe(await first);
});

it('shows code plain if no worker can start, and sends no request for code that is too long', async () => {
  setHighlightWorker(() => {
    throw new Error('no workers');
  });
  render(<CodeBlock code="let a" language="js" />);
  await act(async () => undefined);
  expect(screen.getByText('let a')).toBeDefined();
  const highlighter = new Highlighter(() => new Held());
  const tokens = await new Promise((done) => highlighter.ask('x'.repeat(300_001), 'javascript', done));
  expect([tokens, Held.asked]).toEqual([null, []]);
});

it('carries over the colors of equal lines at both ends, never of changed lines', () => {
  const token = (text: string) => [{ text, color: 'red' }];
  expect(carriedOver([token('a'), token('b'), token('c')], 'a\nx\ny\nc')).toEqual([
    token('a'),
    [{ text: 'x' }],
    [{ text: 'y' }],
    token('c'),
  ]);
  expect(carriedOver([token('a')], 'b')).toBeUndefined();
  expect(carriedOver([token('a')], 'a\na')).toEqual([token('a'), [{ text: 'a' }]]);
});

it('colors all of a text that the worker answers in parts', async () => {
  const lines = Array.from({ length: 1_203 }, (_, at) => `let a${at}`);
  const highlighter = new Highlighter(() => new Held());
  const tokens = await new Promise<unknown[] | null>((done) =>
    highlighter.ask(lines.join('\n'), 'javascript', done),
  );
  expect(tokens).toHaveLength(1_203);
  expect(tokens?.at(-1)).toEqual([{ text: 'let', color: 'var(--code-keyword)' }, { text: ' a1202' }]);
});

it('draws a diff in an answer on the surfaces of added and removed lines', () => {
  const code = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old\n+new\n same';
  const { container } = render(<CodeBlock code={code} language="diff" />);
  const tones = [...container.querySelectorAll('code > span')].map((one) => one.className);
  expect(tones.map((tone) => /bg-add|bg-del|text-fg-3/.exec(tone)?.[0])).toEqual([
    'text-fg-3',
    'text-fg-3',
    'text-fg-3',
    'bg-del',
    'bg-add',
    undefined,
  ]);
});
