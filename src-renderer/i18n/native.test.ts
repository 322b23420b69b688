import { describe, expect, it } from 'vitest';
import { confirm as enConfirm } from './en/confirm';
import { native as en } from './en/native';
import { confirmText, modeText, nativeText } from './native';
import type { Entry } from './types';
import { confirm as zhConfirm } from './zh/confirm';
import { native as zh } from './zh/native';

describe('the texts of the main process', () => {
  it('have the same values in both languages, and are Chinese in Chinese', () => {
    const slots = (entry: Entry) =>
      [...(typeof entry === 'string' ? entry : entry.other).matchAll(/\{(\w+)\}/g)]
        .map(([slot]) => slot)
        .sort();
    const pairs: [Record<string, Entry>, Record<string, Entry>][] = [
      [en, zh],
      [enConfirm, zhConfirm],
    ];
    for (const [english, chinese] of pairs) {
      const slotsOf = (texts: Record<string, Entry>) =>
        Object.fromEntries(Object.entries(texts).map(([key, entry]) => [key, slots(entry)]));
      expect(slotsOf(chinese)).toEqual(slotsOf(english));
      const all = Object.values(chinese).flatMap((entry) =>
        typeof entry === 'string' ? [entry] : Object.values(entry),
      );
      const latin = all.filter((text) =>
        /[A-Za-z]{2,}/.test(text.replaceAll(/Deepdesk|SSH|MCP|\{\w+\}/g, '')),
      );
      expect(latin).toEqual([]);
    }
  });

  it('include the given numbers, paths and names', () => {
    expect([
      nativeText('en')('pendingDecisions', { count: 1 }),
      nativeText('en')('quitJobs', { count: 2 }),
      nativeText('zh')('quitJobs', { count: 2 }),
      nativeText('zh')('writes', { path: '/1' }),
      confirmText('zh')('inThread', { thread: 'A' }),
    ]).toEqual([
      'A decision is waiting for you',
      'The agent has 2 background jobs running.',
      '有 2 个后台任务正在运行。',
      '写入 /1',
      '适用于会话“A”',
    ]);
    expect(modeText('zh', 'plan')).toEqual({
      name: '仅规划',
      description: '智能体阅读并制定计划。它不做任何更改。',
    });
  });
});
