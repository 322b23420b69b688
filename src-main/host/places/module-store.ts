import {
  BaseStore,
  type GetOperation,
  type Item,
  type Operation,
  type OperationResults,
  type PutOperation,
} from '@langchain/langgraph-checkpoint';
import { z } from 'zod';
import { checkFile, isFailure } from '../../harness/backends';
import type { IndexedStore, KeyPage, StoredKey } from '../../harness/backends/store/indexed-store';
import { ModuleError, type ModuleProcess } from './module-process';

const Listed = z.array(
  z.object({
    path: z.string(),
    size: z.number().min(0).optional(),
    modified: z.string().max(100).optional(),
  }),
);
const Content = z.union([z.null(), z.string(), z.strictObject({ base64: z.base64() })]);

/** The files of a module as items of a store, so that `StoreBackend` makes a backend of its few functions. */
export class ModuleStore extends BaseStore implements IndexedStore {
  private listed: StoredKey[] = [];

  constructor(
    private readonly module: ModuleProcess,
    private readonly functions: readonly string[],
  ) {
    super();
  }

  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results: unknown[] = [];
    for (const operation of operations) {
      if ('value' in operation) results.push(await this.store(operation));
      else if ('key' in operation) results.push(await this.item(operation));
      else throw new Error('A module has no searches.');
    }
    return results as OperationResults<Op>;
  }

  async listKeys(
    _namespace: string[],
    prefix: string,
    { after, limit = Number.POSITIVE_INFINITY }: KeyPage = {},
  ): Promise<StoredKey[]> {
    // A later page of the same listing.
    if (after === undefined) this.listed = await this.list();
    const rest = this.listed.filter(({ key }) => key.startsWith(prefix));
    const from = after === undefined ? 0 : rest.findIndex(({ key }) => key === after) + 1;
    return rest.slice(from, from + limit);
  }

  private async list(): Promise<StoredKey[]> {
    const listed = Listed.safeParse(await this.module.call('list'));
    if (!listed.success) throw new ModuleError('list() did not return a list of { path, size, modified }.');
    const keys = listed.data.map(({ path, size = 0, modified = '' }) => {
      const at = checkFile(path);
      if (isFailure(at) || at.path !== path)
        throw new ModuleError(
          `list() returned a path that cannot be used: ${JSON.stringify(path).slice(0, 200)}`,
        );
      return { key: path, size, modified_at: modified };
    });
    return keys.toSorted((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  }

  private async item({ namespace, key }: GetOperation): Promise<Item | null> {
    const content = Content.safeParse(await this.module.call('read', key));
    if (!content.success)
      throw new ModuleError(`read() returned neither a text nor bytes nor null for ${key}.`);
    if (content.data === null) return null;
    const value =
      typeof content.data === 'string'
        ? { content: content.data }
        : { content: content.data.base64, encoding: 'base64' };
    // A module tells no times here.
    return { namespace, key, value: asText(value), createdAt: new Date(0), updatedAt: new Date(0) };
  }

  private async store({ key, value }: PutOperation): Promise<void> {
    const name = value === null ? 'delete' : 'write';
    if (!this.functions.includes(name)) throw new ModuleError(`The module has no function ${name}().`);
    if (value === null) return void (await this.module.call(name, key));
    const { content, encoding } = z
      .object({ content: z.string(), encoding: z.string().optional() })
      .parse(value);
    const base64 = encoding === 'base64' ? content : Buffer.from(content).toString('base64');
    await this.module.call(name, key, base64);
  }
}

/** Bytes of a text are a text. */
function asText(value: { content: string; encoding?: string }): { content: string; encoding?: string } {
  if (value.encoding === undefined) return value;
  const bytes = Buffer.from(value.content, 'base64');
  const text = bytes.toString();
  return !text.includes('\0') && Buffer.from(text).equals(bytes) ? { content: text } : value;
}
