import { describe, expect, it } from 'vitest';
import { assignSlots, NO_SLOTS, type RowSlots } from './row-slots';

const rows = (keys: string, kind: string | null = 'thread') => [...keys].map((key) => ({ key, kind }));
const idsOf = ({ taken }: RowSlots) => [...taken].map(([key, { id }]) => `${key} ${id}`);

describe('the slots of rows', () => {
  it('keep the elements of a row that stays visible, wherever it is', () => {
    const before = assignSlots(NO_SLOTS, rows('abc'), null);
    expect(idsOf(assignSlots(before, rows('cab'), null))).toEqual(['c slot:2', 'a slot:0', 'b slot:1']);
  });

  it('of rows that are gone go to new ones', () => {
    const before = assignSlots(NO_SLOTS, rows('abc'), null);
    expect(idsOf(assignSlots(before, rows('bcde'), null))).toEqual([
      'b slot:1',
      'c slot:2',
      'd slot:0',
      'e slot:3',
    ]);
  });

  it('keep their order in the document when most rows are replaced', () => {
    const before = assignSlots(NO_SLOTS, rows('abc'), null);
    expect(idsOf(assignSlots(before, rows('cxy'), null))).toEqual(['c slot:0', 'x slot:1', 'y slot:2']);
  });

  it('stay with the row that has the focus, even when most rows are replaced', () => {
    const before = assignSlots(NO_SLOTS, rows('abc'), null);
    expect(idsOf(assignSlots(before, rows('xyb'), 'slot:1'))).toEqual(['x slot:0', 'y slot:2', 'b slot:1']);
  });

  it('go to no other row while they have the focus', () => {
    const before = assignSlots(NO_SLOTS, rows('a'), null);
    expect(idsOf(assignSlots(before, rows('x'), 'slot:0'))).toEqual(['x slot:1']);
  });

  it('never go to a row of another kind', () => {
    const before = assignSlots(NO_SLOTS, rows('a', 'project'), null);
    expect(idsOf(assignSlots(before, rows('x'), null))).toEqual(['x slot:1']);
  });

  it('are not given to rows with their own elements', () => {
    expect(idsOf(assignSlots(NO_SLOTS, rows('a', null), null))).toEqual([]);
  });
});
