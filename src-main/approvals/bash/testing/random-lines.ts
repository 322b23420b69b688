import type { Random } from '../../../base/testing/random';

/** A command that leaves a mark when it runs: `$MARK` is a file that does not exist. */
const MARKS = ['$(>$MARK)', '>$MARK', ':>$MARK', '`>$MARK`', ' touch $MARK', ';>$MARK'];

/** Pieces that shells and parsers read differently, by topic. */
const PIECES: readonly (readonly string[])[] = [
  [
    '1',
    '2',
    '12',
    '{a}',
    '{a',
    'a',
    '>',
    '<',
    '>>',
    '<<<',
    '<>',
    '>|',
    '>&',
    '<&',
    '&>',
    '&>>',
    '(',
    ')',
    '-',
    ' ',
  ],
  [
    '/dev/null',
    '2>&1',
    "'",
    '=',
    'a=',
    'a=(',
    '[',
    ']',
    '@',
    '?(',
    '@(',
    '|',
    '&',
    ';',
    '\\',
    '\\\n',
    '~',
    '#',
    ',',
  ],
  [
    '$[',
    '$[',
    '[',
    ']',
    '(',
    ')',
    "'",
    '"',
    "$'",
    '$"',
    '${',
    '}',
    '\\',
    '#',
    ' ',
    '\n',
    '<(',
    '>(',
    '((',
    '))',
  ],
  [
    '<<E\n',
    'E\n',
    "<<'E'\n",
    '<<-E\n',
    '\tE\n',
    'E',
    "\\'",
    '1',
    '+',
    '{',
    '$',
    '=',
    'x=',
    'x[',
    '|',
    '&',
    ';',
  ],
  [
    'if ',
    ' fi',
    ' then ',
    ' do ',
    ' done',
    'for i in a',
    'while ',
    'case x in ',
    'x)',
    ';;',
    ' esac',
    '[[',
    ']]',
  ],
  [
    'time ',
    '! ',
    'coproc ',
    '-p ',
    '-- ',
    'exec ',
    'eval ',
    'command ',
    '\u00a0',
    '\u2028',
    '\t',
    '\r',
    '^',
    '%',
  ],
  [
    '\\x2e',
    '\\u2e',
    '\\400',
    '\\e',
    '\\c',
    '\\0',
    'é',
    '😀',
    '..',
    '.',
    '/',
    'link/..',
    '.env',
    '*',
    '{a,b}',
  ],
];

const PROGRAMS =
  'ls pwd echo printf true false cat tac nl head tail wc cut sort uniq tr rev fold column comm cmp diff stat file du basename dirname realpath readlink seq md5sum sha256sum date uname whoami which type tree grep egrep rg sed find node git npm read export cd test env xargs tee cp rm'.split(
    ' ',
  );
const WORDS = [
  ...'a.txt src src/b.txt . .. ./src ../project link link/ link/.. link/../x file .env src/.env ../outside /etc/passwd'.split(
    ' ',
  ),
  ...'planted ./planted out - -- 1 5 1p 1,2p x . p "x y" \'a b\' +%s %s %n PATH %s%n +5 s/a/b/ $p file/.. src/../.env'.split(
    ' ',
  ),
  ..."'*.txt' '!x' '-name' -type f l -o out -R -L -delete -exec -newer -maxdepth 2 -print -ls -fprint -f -follow".split(
    ' ',
  ),
  ...'--output=out --files --hidden --pre=planted --pre planted --color=always --include=x --reverse -5 --version'.split(
    ' ',
  ),
  ...'~ $HOME a=b {a,b} *.txt [a]* src/*'.split(' '),
];
/** Programs and words of allowed lines, so that many kinds of commands run. */
const READERS =
  'ls cat tac nl head tail wc cut sort uniq tr rev fold comm cmp diff stat file du grep rg sed find printf echo date'.split(
    ' ',
  );
const INSIDE = 'a.txt src src/b.txt . ./src x 1 5 p one -- - -5 1p +%s link file .env'.split(' ');
const LETTERS = 'aABcCdDeEfFghHiIklLmnNoOpqrRsStTuUvVwxXzZ0123456789';
const SEPARATORS = [' | ', ' && ', ' || ', '; ', '\n', '|', ';', ' & ', ' |& '];
const REDIRECTS = [
  ' 2>&1',
  ' >/dev/null',
  ' 2>/dev/null',
  ' < a.txt',
  ' <.env',
  ' <link/x',
  ' > out',
  ' &>/dev/null',
  ' 2>out',
];

/** A line that may be harmless: half are commands with options, half are broken pieces. */
export function randomLine(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const times = (most: number) => Math.floor(random() * (most + 1));
  if (random() < 0.4) {
    const pieces = [...pick(PIECES), ...pick(PIECES), ...MARKS];
    let line = pick(['echo ', 'ls ', 'cat ']);
    for (let left = 1 + times(10); left > 0; left--) line += pick(pieces);
    return random() < 0.5 ? line : line + pick(MARKS);
  }
  const option = () => {
    let letters = '-';
    for (let left = 1 + times(2); left > 0; left--)
      letters += LETTERS.charAt(Math.floor(random() * LETTERS.length));
    return letters;
  };
  const isPlain = random() < 0.5;
  const command = () => {
    const words = [pick(isPlain ? READERS : PROGRAMS)];
    for (let left = times(4); left > 0; left--)
      words.push(random() < 0.35 ? option() : pick(isPlain ? INSIDE : WORDS));
    return words.join(' ') + (random() < 0.2 ? pick(REDIRECTS) : '');
  };
  let line = command();
  for (let left = random() < 0.5 ? 0 : 1 + times(2); left > 0; left--) line += pick(SEPARATORS) + command();
  return line;
}
