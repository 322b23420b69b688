import { test } from './support/app';
import { killAfterLine, killPoints } from './support/headless-kills';

for (const lines of killPoints('rest'))
  test(`survives a kill after line ${lines}: each step once, the files correct, the database intact`, () =>
    killAfterLine(lines));
