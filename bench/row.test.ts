import { expect, it } from 'vitest';
import { failuresOf, isMet, median, missesOf, peerRatioOf, type Row } from './row';

const row = (part: Partial<Row>): Row => ({ row: 'a', unit: 'ms', ours: 12, target: {}, ...part });

it('meets a target if both the ratio and the limit are met', () => {
  const anchor = { name: 'rg', value: 10 };
  expect([
    isMet(row({ anchor, target: { ratio: 1.2, atMost: 12 } })),
    isMet(row({ anchor, target: { ratio: 1.1, atMost: 12 } })),
    isMet(row({ anchor, target: { ratio: 1.2, atMost: 11 } })),
  ]).toEqual([true, false, false]);
});

it('names the missed part of a target', () => {
  const target = { ratio: 1.2, atMost: 12, stall: 16, memory: 60, answer: '0 left' };
  const anchor = { name: 'rg', value: 10 };
  expect([
    missesOf(row({ anchor, target, stall: 16, memory: 60, answer: '0 left' })),
    missesOf(row({ anchor, target, stall: 17, memory: 61, answer: '1 left' })),
    missesOf(row({ anchor, target, ours: 13 })),
    missesOf(row({ ours: Number.NaN, failed: 'ended' })),
  ]).toEqual([
    [],
    ['stall', 'memory', 'answer'],
    ['ratio', 'value', 'stall', 'memory', 'answer'],
    ['failed'],
  ]);
});

it('meets a target above the anchor up to that many units', () => {
  const anchor = { name: 'an empty field', value: 10 };
  const isWithin = (above: number) => isMet(row({ anchor, target: { above } }));
  expect([isWithin(2), isWithin(1.9)]).toEqual([true, false]);
  expect(missesOf(row({ anchor, target: { above: 1 } }))).toEqual(['value']);
});

it('rejects a comparison without an anchor', () => {
  expect(() => isMet(row({ target: { ratio: 2 } }))).toThrow('no anchor');
  expect(() => isMet(row({ target: { above: 2 } }))).toThrow('no anchor');
});

it('compares with the peer only if the peer finished', () => {
  expect([
    peerRatioOf(row({ peer: { value: 24 } })),
    peerRatioOf(row({ peer: { note: 'ends its process' } })),
    peerRatioOf(row({})),
  ]).toEqual([0.5, undefined, undefined]);
});

it('takes the median of unsorted numbers', () => {
  expect([median([10, 9, 100]), median([2, 1])]).toEqual([10, 2]);
});

it('fails the run for a row without a result and for a group that measured nothing', () => {
  const failed = row({ ours: Number.NaN, failed: 'rg ends its process: out of memory' });
  expect([failuresOf('files', []), failuresOf('files', [row({}), failed])]).toEqual([
    ['files: no row was measured'],
    ['files, a: rg ends its process: out of memory'],
  ]);
});

it('fails the run for a higher ratio only where it is steady', () => {
  const anchor = { name: 'rg', value: 10 };
  const rows = [
    row({ anchor, steady: 1.1 }),
    row({ anchor, steady: 1.2 }),
    row({ anchor, target: { ratio: 1 } }),
  ];
  expect([failuresOf('files', rows), failuresOf('files', rows, true)]).toEqual([
    [],
    ['files, a: ratio 1.20, which was at most 1.1 before'],
  ]);
});
