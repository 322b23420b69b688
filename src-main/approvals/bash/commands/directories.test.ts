import { describe, expect, it } from 'vitest';
import { parseLine } from './commands';
import { directoryAfter } from './directories';

/** The directory that each `x` of the line runs in. */
const where = (line: string) =>
  parseLine(line)
    .commands.filter(({ words }) => words[0]?.value === 'x')
    .map(({ moves }) => directoryAfter(moves, '/p', '/home/me'));

describe('the directory of a command [safety 10]', () => {
  it.each([
    ['x', ['/p']],
    ['cd a && x', ['/p/a']],
    ['cd a; x', ['/p/a']],
    ['cd a\nx', ['/p/a']],
    ['cd "a b" && x', ['/p/a b']],
    ['cd a && cd ../b && x', ['/p/b']],
    ['cd a/b/..; x', ['/p/a']],
    ['cd /etc && x', ['/etc']],
    ['cd ~/q && x', ['/home/me/q']],
    ["cd '~' && x", ['/p/~']],
    ['cd && x', ['/home/me']],
    ['cd -- a && x', ['/p/a']],
    ['pushd a && x', ['/p/a']],
    ['command cd a && x', ['/p/a']],
    ['x && cd a && x; x', ['/p', '/p/a', null]],
    ['cd a || exit 1; x', ['/p/a']],
    ['cd a || x', ['/p']],
    ['cd a && x || x', ['/p/a', null]],
    ['(cd a && x); x', ['/p/a', '/p']],
    ['{ cd a; x; }; x', ['/p/a', '/p/a']],
    ['cd a | x; x', ['/p', '/p']],
    ['cd a & x', ['/p']],
    ['echo "$(cd a && x)" && x', ['/p/a', '/p']],
    ['if cd a; then x; else x; fi; x', ['/p/a', '/p/a', '/p/a']],
    ['if true; then cd a; fi; x', [null]],
    ['for f in 1 2; do x; done; x', ['/p', '/p']],
    ['for f in 1 2; do cd a; x; done; x', [null, null]],
    ['for f in 1 2; do (cd a && x); done', ['/p/a']],
    ['cd $d && x', [null]],
    ['cd $d && cd /etc && x', ['/etc']],
    ['cd - && x', [null]],
    ['cd -P a && x', [null]],
    ['cd a b && x', [null]],
    ['popd; x', [null]],
    ['eval "cd a"; x', [null]],
    ['. ./f; x', [null]],
    ['CDPATH=/ cd a; x', [null]],
    ['export CDPATH=/; x', [null]],
    ['f() { cd a; }; f; x', [null]],
    ['f() { x; }; f', [null]],
    ['$c a; x', [null]],
    ['case y in a) cd a;; esac; x', [null]],
  ])('%s', (line, expected) => expect(where(line)).toEqual(expected));
});
