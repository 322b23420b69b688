import { inTurn, type Script, type Step } from './script';

/** Files the demo writes into `test_dir`, by name. */
export const DEMO_FILES: Readonly<Record<string, string>> = {
  'hello.py': 'def greet(name: str) -> str:\n    return f"Hello, {name}!"\n\n\nprint(greet("世界 👋"))\n',
  'first.txt': 'First file: plain text.\n',
  'second.txt': 'Second file: café, naïve, 文件系统.\n',
  'third.txt': 'Third file: a tab\tand a backslash \\ and "quotes".\n',
};

/**
 * The demo of the design articles for one prompt that says "demo": the model removes and creates `test_dir` in the project
 * folder, changes into it, writes hello.py and three text files in one message, lists them, reads hello.py and summarizes in
 * Markdown. Commands are relative to the folder, where `execute` starts; file paths are absolute. `folder` is the path that
 * the agent sees, with `/` as separator. Any other prompt gets one line of text.
 */
export function demoA0(folder: string): Script {
  const directory = `${folder.replace(/\/$/, '')}/test_dir`;
  const writes = Object.entries(DEMO_FILES).map(([name, content]) => ({
    name: 'write_file',
    args: { file_path: `${directory}/${name}`, content },
  }));
  const steps: [Step, ...Step[]] = [
    {
      text: 'I will start from a clean `test_dir`.',
      calls: [{ name: 'execute', args: { command: 'rm -rf test_dir' } }],
    },
    { calls: [{ name: 'execute', args: { command: 'mkdir test_dir' } }] },
    { calls: [{ name: 'execute', args: { command: 'cd test_dir && pwd' } }] },
    { text: 'Now the script and three text files.', calls: writes },
    { calls: [{ name: 'ls', args: { path: directory } }] },
    { calls: [{ name: 'read_file', args: { file_path: `${directory}/hello.py`, offset: 0, limit: 100 } }] },
    {
      text: [
        '## Demo finished',
        '',
        '`test_dir` was removed, created again and filled:',
        '',
        '- `hello.py` greets 世界 👋',
        '- `first.txt`, `second.txt` and `third.txt` hold one line each',
        '',
        'Run it with `python3 test_dir/hello.py`.',
      ].join('\n'),
    },
  ];
  const demo = inTurn(steps);
  return (request) =>
    /\bdemo\b/i.test(request.lastUserText) ? demo(request) : { text: 'Say "demo" to see the demo.' };
}
