import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isSandboxBackend } from '../commands';
import { localBox } from '../testing/local-box';
import { BaseSandbox } from './base-sandbox';
import { SandboxError } from './sandbox-error';

/** A provider's sandbox as a program would write it: three methods and an id. */
class Box extends BaseSandbox {
  override readonly id = 'box';
  readonly #client = localBox();

  override async execute(command: string) {
    return this.#client.execute(command);
  }

  override async uploadFiles(files: [path: string, content: Uint8Array][]) {
    return this.#client.uploadFiles(files);
  }

  override async downloadFiles(paths: string[]) {
    return this.#client.downloadFiles(paths);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'deepdesk-base-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a subclass of BaseSandbox', () => {
  it('derives every method from three', async () => {
    const box = new Box();
    expect(isSandboxBackend(box)).toBe(true);
    expect((await box.execute('echo hi')).output).toBe('hi\n');
    expect((await box.write(`${folder}/a/b.txt`, 'one\ntwo')).error).toBeUndefined();
    expect((await box.edit(`${folder}/a/b.txt`, 'two', 'three')).occurrences).toBe(1);
    expect((await box.read(`${folder}/a/b.txt`)).content).toBe('one\nthree');
    expect((await box.ls(`${folder}/a`)).files?.map((file) => file.path)).toEqual([`${folder}/a/b.txt`]);
    expect((await box.grep('three', folder)).matches).toHaveLength(1);
    expect((await box.glob('**/*.txt', folder)).files).toHaveLength(1);
  });

  it('is not a sandbox while its id is empty', () => {
    class Later extends Box {
      override readonly id = '' as 'box';
    }
    expect(isSandboxBackend(new Later())).toBe(false);
  });
});

describe('a sandbox error', () => {
  it('is recognized by its code, even as a subclass', () => {
    class Own extends SandboxError {}
    const error = new Own('gone', 'NOT_INITIALIZED', new Error('why'));
    expect(SandboxError.isInstance(error)).toBe(true);
    expect([error.code, error.cause?.message]).toEqual(['NOT_INITIALIZED', 'why']);
    expect(SandboxError.isInstance(new Error('gone'))).toBe(false);
  });
});
