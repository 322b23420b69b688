import { expect, it } from 'vitest';
import { AutoApproval, CommandPart } from '../control';
import { because, Reasons } from './reasons';

it('keeps codes and their values, including nested ones', () => {
  const reasons = [
    because('part', { text: 'sudo id', why: because('other_user') }),
    because('too_many_lines', { count: 300 }),
  ];
  expect(Reasons.parse(JSON.parse(JSON.stringify(reasons)))).toEqual(reasons);
});

it('keeps sentences of older versions unchanged', () => {
  expect(AutoApproval.parse({ reason: 'Allowed by your rule "npm test".' }).reason).toEqual([
    because('prose', { text: 'Allowed by your rule "npm test".' }),
  ]);
  const part = { text: 'rm x', verdict: 'ask', reason: 'it deletes files', risk: 'high' };
  expect(CommandPart.parse(part).reason).toEqual(because('prose', { text: 'it deletes files' }));
  expect(AutoApproval.parse({ reason: '' }).reason).toEqual([]);
});

it('refuses anything but a code or a sentence', () => {
  for (const broken of [null, 3, {}, [{ values: {} }], [{ code: 'part', values: { why: {} } }]])
    expect(Reasons.safeParse(broken).success, JSON.stringify(broken)).toBe(false);
});
