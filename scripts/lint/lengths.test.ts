import { describe, expect, it } from 'vitest';
import { longFiles, longFunctions, MAX_FILE_LINES, MAX_LINES } from './lengths.mjs';

const lines = (count: number, line: string) => Array.from({ length: count }, () => line).join('\n');

describe('the limit on the length of functions', () => {
  it('counts the lines of JSX in a component', () => {
    const text = `export const Long = () => (\n<ul>\n${lines(120, '<li>one</li>')}\n</ul>\n);\n`;
    expect(longFunctions('long.tsx', text)).toEqual(['long.tsx:1 has 124 lines']);
  });

  it('counts blank lines and comments', () => {
    const text = `\nfunction long() {\n${lines(60, '')}\n${lines(60, '// why')}\n}\n`;
    expect(longFunctions('long.ts', text)).toEqual(['long.ts:2 has 122 lines']);
  });

  it('counts the lines of a function inside another one for both', () => {
    const text = `const outer = () => {\n  const inner = () => {\n${lines(MAX_LINES, 'step();')}\n  };\n};\n`;
    expect(longFunctions('long.ts', text)).toEqual(['long.ts:1 has 104 lines', 'long.ts:2 has 102 lines']);
  });

  it('accepts a function of exactly the limit', () => {
    const text = `function fits() {\n${lines(MAX_LINES - 2, 'step();')}\n}\n`;
    expect(longFunctions('fits.ts', text)).toEqual([]);
  });

  it('accepts a reducer, which is one switch, and a table, which is one literal', () => {
    const reducer = `function reduce(event) {\nswitch (event.type) {\n${lines(120, "case 'one': return 1;")}\n}\n}\n`;
    const table = `const table = () => ({\n${lines(120, '  row: 1,')}\n});\n`;
    expect(longFunctions('lists.ts', reducer + table)).toEqual([]);
  });

  it('counts a switch that has other statements beside it', () => {
    const text = `function act(event) {\nstep();\nswitch (event.type) {\n${lines(120, "case 'one': return 1;")}\n}\n}\n`;
    expect(longFunctions('act.ts', text)).toEqual(['act.ts:1 has 125 lines']);
  });
});

describe('the limit on the length of files', () => {
  it('accepts a file of exactly the limit', () => {
    expect(longFiles('fits.ts', `${lines(MAX_FILE_LINES, 'step();')}\n`)).toEqual([]);
  });

  it('counts every line', () => {
    const text = `${lines(200, '// why')}\n${lines(201, '')}\n`;
    expect(longFiles('long.ts', text)).toEqual(['long.ts has 401 lines']);
  });

  it('accepts a table of errors', () => {
    expect(longFiles('src-main/contract/errors.ts', lines(500, 'row: 1,'))).toEqual([]);
  });
});
