import { expect, it, vi } from 'vitest';
import { answerHighlight } from './tokenize';

const compiled = vi.hoisted(() => ({ scanners: 0 }));

vi.mock('shiki/engine/javascript', async (original) => {
  const real = await original<typeof import('shiki/engine/javascript')>();
  return {
    ...real,
    createJavaScriptRegexEngine: (options?: Parameters<typeof real.createJavaScriptRegexEngine>[0]) => {
      const engine = real.createJavaScriptRegexEngine(options);
      return {
        ...engine,
        createScanner: (patterns: Parameters<typeof engine.createScanner>[0]) => {
          compiled.scanners += 1;
          return engine.createScanner(patterns);
        },
      };
    },
  };
});

it('compiles the rules of a grammar before it says that it starts, since the time from then on is limited', async () => {
  const atReply: Record<string, number> = {};
  const answer = () =>
    answerHighlight({ id: 1, code: '12', language: 'json' }, ({ kind }) => {
      atReply[kind] = compiled.scanners;
    });
  await answer();
  expect(atReply.started).toBeGreaterThan(0);
  expect(atReply.done).toBe(atReply.started);
  await answer();
  expect(atReply.done).toBe(atReply.started);
});
