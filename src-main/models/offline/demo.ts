import type { Language } from './language';

/** The shell commands of each system to remove and create a folder. */
const FRESH_FOLDER = {
  posix: { remove: 'rm -rf test_dir', enter: 'cd test_dir && pwd' },
  windows: { remove: 'if exist test_dir rmdir /s /q test_dir', enter: 'cd test_dir && cd' },
};

/**
 * The requests behind `demo`: it removes and creates a folder, enters it, adds a program and three texts in parallel, lists
 * it, and reads one file.
 */
export function demoRequests(language: Language, platform: NodeJS.Platform): string {
  const shell = platform === 'win32' ? FRESH_FOLDER.windows : FRESH_FOLDER.posix;
  const texts = { en: ['first', 'second', 'third'], zh: ['第一个', '第二个', '第三个'] }[language.id];
  const files: readonly [string, string][] = [
    ['hello.py', 'print(\\"Hello from Deepdesk\\")\\n'],
    ['one.txt', `${texts[0]}\\n`],
    ['two.txt', `${texts[1]}\\n`],
    ['three.txt', `${texts[2]}\\n`],
  ];
  return [
    `run ${shell.remove}`,
    'run mkdir test_dir',
    `run ${shell.enter}`,
    files.map(([name, text]) => `create test_dir/${name} with "${text}"`).join(' + '),
    'list files in test_dir',
    'read test_dir/hello.py',
  ].join('\n');
}
