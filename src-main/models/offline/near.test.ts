import { describe, expect, it } from 'vitest';
import { chinese } from './chinese';
import { english } from './english';
import { asksForHelp, nearRequests } from './near';
import { parseRequest } from './parse';

const near = (text: string) => nearRequests(text, english);

describe('a near miss of a request', () => {
  it.each<[string, string]>([
    ['lsit files', 'list files'],
    ['list fiels in notes', 'list files in notes'],
    ['raed README.md', 'read README.md'],
    ['replac "a - b" wiht "a + b" in src/sum.js', 'replace "a - b" with "a + b" in src/sum.js'],
    ['demos', 'demo'],
  ])('is corrected: %s', (text, meant) => expect(near(text)[0]).toBe(meant));

  it.each<[string, string]>([
    ['explain src/sum.js', 'read src/sum.js from line 3'],
    ['please edit notes/ideas.md', 'replace "Hello" with "Good day" in notes/ideas.md'],
    ['can you start the tests?', 'run node --test'],
  ])('gets an example about what it names: %s', (text, meant) => expect(near(text)).toContain(meant));

  it('is found in Chinese by its words', () => {
    expect(nearRequests('帮我修一下 notes.md', chinese)[0]).toBe('把 notes.md 中的 "你好" 替换为 "早上好"');
  });

  it('is not assumed for a text about something else', () => {
    expect(near('hello')).toEqual([]);
    expect(near('x'.repeat(10_000))).toEqual([]);
  });
});

it('knows what asks for help', () => {
  expect(['help', ' Help! ', '?', '/help', '帮助', ''].map(asksForHelp)).not.toContain(false);
  expect(asksForHelp('help me with my taxes')).toBe(false);
});

it('understands every example of the help and every request to start with', () => {
  for (const language of [english, chinese]) {
    for (const { action, request } of language.examples) {
      const parsed = parseRequest(request);
      expect(parsed.understood && parsed.steps[0]?.[0]?.do, request).toBe(action);
    }
    for (const request of language.starters) expect(parseRequest(request).understood, request).toBe(true);
  }
});
