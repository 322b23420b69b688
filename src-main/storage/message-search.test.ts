import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { Message } from '../contract/conversation';
import { MessageId, ProjectId, ThreadId } from '../contract/ids';
import { openStorage, type Storage } from '.';

const t1 = ThreadId.parse('t1');
const t2 = ThreadId.parse('t2');
const said = (id: string, text: string) => Message.parse({ role: 'user', id, at: 1, text });

describe('message search', () => {
  let folder: string;
  let storage: Storage;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deepdesk-search-'));
    const opened = openStorage(join(folder, 'deepdesk.db'));
    if (!opened.ok) throw new Error(inEnglish(opened.error));
    storage = opened.value;
    const projectId = ProjectId.parse('p1');
    storage.projects.save({
      id: projectId,
      folder: '/home/me/api',
      mount: '/home/me/api',
      name: 'api',
      openedAt: 1,
      missing: false,
      isSample: false,
    });
    for (const id of [t1, t2])
      storage.threads.insert({
        id,
        projectId,
        title: id,
        model: 'offline:guide',
        createdAt: 1,
        updatedAt: 1,
      });
  });
  afterEach(() => {
    storage.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const find = (query: string) => {
    while (storage.search.index(50));
    return storage.search.find(query, { limit: 100 }).map((one) => `${one.threadId}/${one.messageId}`);
  };

  it('requires all words, ignores case and accents, and matches the start of the last word', () => {
    storage.messages.save(t1, said('a', 'The Résumé parser fails in sum.ts'));
    storage.messages.save(t2, said('b', 'parser only'));
    expect(find('resume PARS')).toEqual(['t1/a']);
    expect(find('parser')).toEqual(['t2/b', 't1/a']);
    expect(find('sum.ts')).toEqual(['t1/a']);
    expect(find('par fails')).toEqual([]);
  });

  it('finds Chinese words within a sentence', () => {
    storage.messages.save(t1, said('a', '请修复失败的测试用例'));
    expect(find('失败')).toEqual(['t1/a']);
    expect(find('测试')).toEqual(['t1/a']);
    expect(find('试测')).toEqual([]);
  });

  it('follows changed, removed and deleted messages', () => {
    storage.messages.save(t1, said('a', 'apples'));
    expect(find('apples')).toEqual(['t1/a']);
    storage.messages.save(t1, said('a', 'pears'));
    expect([find('apples'), find('pears')]).toEqual([[], ['t1/a']]);
    storage.threads.remove(t1, 5);
    expect(find('pears')).toEqual([]);
    storage.threads.restore(t1);
    expect(find('pears')).toEqual(['t1/a']);
    storage.messages.remove(t1, MessageId.parse('a'));
    expect(find('pears')).toEqual([]);
  });

  it('treats nothing that the user types as syntax', () => {
    storage.messages.save(t1, said('a', 'say "NEAR" (or) not: a*b AND c'));
    for (const query of ['"NEAR"', '(or)', 'not:', 'a*b', 'AND', 'OR NOT', '"', '*', '^'])
      expect(() => find(query)).not.toThrow();
    expect(find('"NEAR"')).toEqual(['t1/a']);
    expect(find('AND')).toEqual(['t1/a']);
    expect(find('*')).toEqual([]);
  });

  it('reports how many messages are not indexed yet', () => {
    for (let index = 0; index < 20; index += 1) storage.messages.save(t1, said(`m${index}`, 'word'));
    expect(storage.search.pending(10)).toBe(10);
    while (storage.search.index(50));
    expect(storage.search.pending(10)).toBe(0);
  });
});
