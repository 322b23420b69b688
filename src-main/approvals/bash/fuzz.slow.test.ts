import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { skippedBecause } from '../../../scripts/runtime/capabilities.mjs';
import { randomFrom } from '../../base/testing/random';
import { judgeCommand } from '../command';
import { programFinder } from './paths/programs';
import { layOut, runLines, SEARCH_PATH, sandbox } from './testing/canaries';
import { randomLine } from './testing/random-lines';
import { analyzeShell } from './verdict/analyze';

/** Minutes, set by `npm run fuzz`. Without them, a few hundred lines run. */
const minutes = Number(process.env.DEEPDESK_FUZZ_MINUTES ?? 0);
const SHORT = 200;
const BATCH_SIZE = 100;
const seed = Number(process.env.DEEPDESK_SEED ?? 20_261_122);

function remembered<T>(ask: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (name) => {
    const answer = answers.get(name) ?? ask(name);
    answers.set(name, answer);
    return answer;
  };
}

it.skipIf(!sandbox.works)(
  `notices lines that change, run or read something forbidden, so that its silence means something [safety 1]${skippedBecause(sandbox)}`,
  async () => {
    for (const [line, problem] of [
      ['echo 1>(>$MARK)', 'ran a program'],
      ['./planted', 'ran a program'],
      ['PATH=bin:$PATH; grep x', 'ran a program'],
      ['cat .env', 'printed a secret'],
      ['cat link/../x', 'read outside'],
      ['ls link', 'read outside'],
      ['ls -LR', 'read outside'],
      ['echo x > new', 'changed a file'],
      ['chmod 600 a.txt', 'changed a file'],
      ['ls &>/dev/null >$MARK', 'ran a program'],
    ] as const) {
      const base = realpathSync(mkdtempSync(join(homedir(), 'deepdesk-fuzz-')));
      try {
        layOut(base);
        expect(await runLines(base, ['ls', line]), line).toEqual([expect.stringContaining(problem)]);
      } finally {
        rmSync(base, { recursive: true, force: true });
      }
    }
  },
);

const anywhere = (name: string) => `/usr/bin/${name}`;

it.skipIf(!sandbox.works)(
  `runs random lines that are judged read-only, and none changes, runs or reads anything forbidden [safety 1]${skippedBecause(sandbox)}`,
  { timeout: minutes * 60_000 + 120_000 },
  async () => {
    const base = realpathSync(mkdtempSync(join(homedir(), 'deepdesk-fuzz-')));
    try {
      const { folder } = layOut(base);
      const { findProgram, isTrustedSearch } = programFinder(SEARCH_PATH, folder);
      const places = {
        folder,
        cwd: folder,
        home: join(base, 'home'),
        dataDir: join(base, 'data'),
        // Programs do not change here, so the results are cached for 100,000 lines.
        findProgram: remembered(findProgram),
        isTrustedSearch: remembered(isTrustedSearch),
      };
      const random = randomFrom(seed);
      const until = performance.now() + minutes * 60_000;
      const seen = new Set<string>();
      let tried = 0;
      let allowed = 0;
      do {
        const lines: string[] = [];
        while (lines.length < BATCH_SIZE) {
          const line = randomLine(random);
          tried++;
          if (line.includes('\0') || seen.has(line)) continue;
          // The words alone settle most lines, and checking them is faster than checking the disk.
          if (analyzeShell(line, { ...places, resolveBinary: anywhere }).verdict !== 'allow') continue;
          if ((await judgeCommand({ command: line }, places, [])).verdict !== 'allow') continue;
          lines.push(line);
          seen.add(line);
        }
        allowed += lines.length;
        expect(await runLines(base, lines), `seed ${seed}`).toEqual([]);
      } while (minutes === 0 ? allowed < SHORT : performance.now() < until);
      if (minutes > 0)
        process.stdout.write(`${tried} lines, ${allowed} of them allowed and run, no canary\n`);
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  },
);
