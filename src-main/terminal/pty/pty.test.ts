import { describe, expect, it } from 'vitest';
import { commandProgram, personProgram } from './pty';

const decoded = (base64 = '') => Buffer.from(base64, 'base64').toString('utf16le');

describe('the shell of a command', () => {
  it('is bash on Linux and macOS', () => {
    for (const platform of ['linux', 'darwin'] as const) {
      for (const stdin of ['person', 'closed'] as const) {
        expect(commandProgram('echo "$HOME"', stdin, platform)).toEqual({
          file: '/bin/bash',
          args: ['-c', 'echo "$HOME"'],
        });
      }
    }
  });

  it('is PowerShell on Windows and takes any text without quoting', () => {
    const text = 'Write-Output "it\'s ü €" `\n; exit 3';
    const { file, args } = commandProgram(text, 'person', 'win32');
    expect([file, ...args.slice(0, -1)]).toEqual([
      'powershell.exe',
      '-NoLogo',
      '-NoProfile',
      '-EncodedCommand',
    ]);
    expect(decoded(args.at(-1))).toBe(text);
    expect(commandProgram(text, 'closed', 'win32').args).toContain('-NonInteractive');
  });
});

describe("the user's shell", () => {
  it('is the one they chose, if it exists', () => {
    expect(personProgram({ SHELL: '/bin/sh' }, 'linux')).toEqual({ file: '/bin/sh', args: [] });
    for (const SHELL of ['/no/such/shell', 'bash', ''])
      expect(personProgram({ SHELL }, 'linux')).toEqual({ file: '/bin/bash', args: [] });
  });

  it('is a login shell on macOS and PowerShell on Windows', () => {
    expect(personProgram({}, 'darwin')).toEqual({ file: '/bin/bash', args: ['-l'] });
    expect(personProgram({ SHELL: '/bin/sh' }, 'win32')).toEqual({
      file: 'powershell.exe',
      args: ['-NoLogo'],
    });
  });
});
