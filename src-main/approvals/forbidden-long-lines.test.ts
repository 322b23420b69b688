import { describe, expect, it } from 'vitest';
import { standardTime } from '../base/testing/processor-time';
import { innerStarts, sameCommand } from './bash/parsing/subcommands';
import { analyzeShell } from './bash/verdict/analyze';
import { isForbidden } from './forbidden-commands';
import { PLACES, stops } from './testing/judged';

/** Words that count how many of them are read. */
function counted(words: readonly string[]) {
  let count = 0;
  const proxy = new Proxy(words, {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) count++;
      return Reflect.get(target, name, receiver);
    },
  });
  return { proxy, reads: () => count };
}

describe('the places where an inner command may begin', () => {
  it.each(['npm exec', 'pnpm', 'uv run', 'corepack'])('are found one at a time after %s', (start) => {
    const words = `${start} ${'word '.repeat(10_000)}`.trim().split(' ');
    const first = counted(words);
    innerStarts(first.proxy).next();
    expect(first.reads()).toBeLessThan(10);
    const all = counted(words);
    expect([...innerStarts(all.proxy)].length).toBeGreaterThanOrEqual(10_000);
    expect(all.reads()).toBeLessThan(2 * words.length);
  });

  it('are found without a repeated search for modules of Python', () => {
    const words = 'python -m '.repeat(5_000).trim().split(' ');
    const { proxy, reads } = counted(words);
    sameCommand(proxy);
    expect(reads()).toBeLessThan(5 * words.length);
  });
});

describe('a rule that forbids a command takes a moment for a long line', () => {
  /** About as long as a line may be. */
  const LENGTH = 9_900;
  const repeated = (start: string, words: string) =>
    `${start} ${words.repeat(Math.floor((LENGTH - start.length) / words.length))}`;
  const RULES = Array.from({ length: 5 }, () => ['git push', 'npm install', 'rm', 'git push --force']).flat();

  it.each([
    ['npx', 'a '],
    ['npx', 'git '],
    ['npm exec', 'git -C '],
    ['npm exec', 'a -b '],
    ['pnpm', 'a '],
    ['pnpm', 'exec '],
    ['uv run', 'python '],
    ['uv run', 'python -m '],
    ['git', '-a '],
    ['corepack', 'pnpm x '],
    ['xargs npx', 'a -b '],
    ['some-runner', 'git '],
    ['some-runner', 'npx '],
    ['some-runner', "'git a' "],
    ['docker run', 'git -C '],
  ])('that repeats the words of %s %s', async (start, words) => {
    const { parts } = analyzeShell(repeated(start, words), PLACES);
    expect(parts.length).toBeGreaterThan(0);
    const compare = () => {
      for (const rule of RULES)
        for (const part of parts)
          isForbidden({ kind: 'command', words: rule.split(' '), exact: false }, part);
    };
    // A version that is not linear takes minutes for some of them.
    expect(await standardTime(compare, 1)).toBeLessThan(5_000);
  });

  it('finds the command behind very many words', () => {
    const others = Array.from({ length: 1_000 }, (_, at) => `word${at}`).join(' ');
    expect(stops('git push', `some-runner ${others} git push`)).toBe(true);
    expect(stops('git push', `npx ${others} git push`)).toBe(true);
    expect(stops('git push', `some-runner ${'git '.repeat(2_000)}`)).toBe(true);
    expect(stops('git push', `some-runner ${others}`)).toBe(false);
    expect(stops('git push', `npx ${others}`)).toBe(false);
  });

  it.each([
    ['values that double each other', `x=ab; ${'x="$x$x"; '.repeat(200)}$x`],
    ['a long value that many commands use', `x='${'a '.repeat(2_000)}'; ${'$x; '.repeat(1_500)}`],
    ['many values that many commands use', `${'x=abc; x+=de; '.repeat(300)}${'$x y; '.repeat(900)}`],
    ['a command with many variables', `x=${'a'.repeat(900)}; git ${'$x'.repeat(4_000)}`],
    ['code with many calls', `python -c '${'run(["a", '.repeat(3_000)}'`],
    ['code with many quotes', `perl -e '${'qx{ | " '.repeat(3_000)}'`],
    ['many substitutions', `${'$(echo '.repeat(5_000)}`],
    ['many braces', '{a,'.repeat(6_000)],
    ['a long script of sed', `sed '${'s/x/'.repeat(8_000)}'`],
    ['many scripts of sed', `sed ${"-e 's/xxxxxx/y' ".repeat(2_000)}`],
    ['many rules of make', `make -f - <<E\n${'x:; y\n'.repeat(8_000)}E`],
    ['many programs that run others', 'npx python -c '.repeat(700)],
    ['many functions with arguments', 'f() { $1 $@; }; f a b c; '.repeat(400)],
    ['many settings', `git ${'-c a=b '.repeat(3_000)}`],
  ])('and covers nothing of %s', async (_, line) => {
    const compare = () => {
      for (const words of ['git push', 'npm install', 'rm']) stops(words, line);
    };
    expect(await standardTime(compare, 1)).toBeLessThan(10_000);
  });
});
