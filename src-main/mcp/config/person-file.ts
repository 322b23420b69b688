import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import { parseJson } from '../../base/limited-json';
import { readRegularText } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import { replacePrivateFile } from '../../base/replace-file';
import { type ErrorText, errorText } from '../../contract/errors';
import type { McpDraft } from '../../contract/mcp';
import { appError, fail, ok, type Result } from '../../contract/result';
import { keepMasked, MASK, shownArgs, shownUrl } from '../masks';
import { type LikelySecrets, mapOpenSecrets } from '../open-secrets';
import { isWebAddress, MAX_DEPTH, MAX_FILE, parseConfig } from './config';
import { keep, kept, referencesIn, type SecretValues } from './secret-refs';
import { variablesIn } from './variables';

const Texts = z.record(z.string(), z.string()).default({}).catch({});
const Entry = z
  .looseObject({
    args: z.array(z.string()).default([]).catch([]),
    url: z.string().default('').catch(''),
    env: Texts,
    headers: Texts,
  })
  .catch({ args: [], url: '', env: {}, headers: {} });
const Keys = z.record(z.string(), z.unknown());
const File = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()).default({}) });

/** Keys that Deepdesk writes. The other keys of an entry stay unchanged. */
const OURS = ['type', 'transport', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'timeoutSeconds'];

/**
 * The person's `mcp.json`, readable only by them. Changes run one at a time, replace the file atomically, and touch only the
 * intended part.
 */
export class PersonFile {
  private last: Promise<unknown> = Promise.resolve();

  /** `values`: stores the values that the person types. The file contains references to them. */
  constructor(
    readonly path: string,
    private readonly values: SecretValues,
  ) {}

  /** Errors: `invalid` with what to correct, `conflict` if the name is taken, `storage`. */
  save(draft: McpDraft): Promise<Result<object>> {
    const wrong = problemOf(draft);
    if (wrong !== null) return Promise.resolve({ ok: false, error: appError('invalid', wrong) });
    return this.change((servers) => {
      const { name, previous } = draft;
      const entry = newEntry(draft, servers, this.values);
      if (!entry.ok) return entry;
      // A renamed server keeps its position.
      const pairs = Object.entries(servers).map(([key, one]) =>
        key === previous ? [name, entry.value] : [key, one],
      );
      if (previous === null) pairs.push([name, entry.value]);
      return ok(Object.fromEntries(pairs));
    });
  }

  /** Whether `save` would reject a draft, so that nobody agrees to it in vain. Changes nothing. */
  async check(draft: McpDraft): Promise<Result<object>> {
    const wrong = problemOf(draft);
    if (wrong !== null) return { ok: false, error: appError('invalid', wrong) };
    const file = await this.read();
    if (!file.ok) return file;
    const entry = newEntry(draft, file.value.mcpServers, KEEPS_NOTHING);
    return entry.ok ? ok({}) : entry;
  }

  remove(name: string): Promise<Result<object>> {
    return this.change((servers) => {
      if (!Object.hasOwn(servers, name)) return fail('not_found', 'server_removed', { name });
      return ok(Object.fromEntries(Object.entries(servers).filter(([key]) => key !== name)));
    });
  }

  /** Moves likely plain-text secrets of a server's entry to the value store. Errors: `not_found`, `invalid`, `storage`. */
  keepSecrets(name: string, likely: LikelySecrets): Promise<Result<object>> {
    return this.change((servers) => {
      const before = Object.hasOwn(servers, name) ? servers[name] : undefined;
      if (before === undefined) return fail('not_found', 'server_removed', { name });
      const [read] = parseConfig(JSON.stringify({ mcpServers: { [name]: before } })).entries;
      if (read?.ok !== true)
        return {
          ok: false,
          error: appError('invalid', errorText('server_entry_unreadable'), { cause: read?.why }),
        };
      const { args, url, env, headers } = Entry.parse(before);
      const put: string[] = [];
      const move = (text: string) => {
        const stands = keep(text, this.values);
        put.push(...referencesIn(stands));
        return stands;
      };
      const none = { args: [], url: '', named: {} };
      try {
        const moved = mapOpenSecrets({ args, url, named: env }, likely, move);
        const { named } = mapOpenSecrets({ ...none, named: headers }, likely, move);
        const parts: Record<string, unknown> = {
          args: moved.args,
          url: moved.url,
          env: moved.named,
          headers: named,
        };
        const entry = Object.entries(Keys.parse(before)).map(([key, value]) => [key, parts[key] ?? value]);
        return ok({ ...servers, [name]: Object.fromEntries(entry) });
      } catch (error) {
        for (const id of put) this.values.remove(id);
        return fail('storage', 'value_not_kept', {}, String(error));
      }
    });
  }

  private change(
    make: (servers: Record<string, unknown>) => Result<Record<string, unknown>>,
  ): Promise<Result<object>> {
    const work = this.last.then(async (): Promise<Result<object>> => {
      const file = await this.read();
      if (!file.ok) return file;
      const made = make(file.value.mcpServers);
      if (!made.ok) return made;
      const [before, after] = [file.value.mcpServers, made.value].map(referencesIn);
      const written = await this.write({ ...file.value, mcpServers: made.value });
      // Deletes values that the file no longer references.
      const [from, to] = written.ok ? [before, after] : [after, before];
      for (const id of from ?? []) if (to?.includes(id) !== true) this.values.remove(id);
      return written;
    });
    this.last = work.catch(() => undefined);
    return work;
  }

  private async read(): Promise<Result<z.infer<typeof File>>> {
    const read = await readRegularText(this.path, { root: null, maxBytes: MAX_FILE });
    if (isRefused(read))
      return read.refused === 'missing'
        ? ok({ mcpServers: {} })
        : fail('storage', 'server_file_not_read', { path: this.path }, read.code ?? read.refused);
    const parsed = parseJson(read.text, { maxBytes: MAX_FILE, maxDepth: MAX_DEPTH });
    const file = File.safeParse('value' in parsed ? parsed.value : null);
    return file.success ? ok(file.data) : fail('invalid', 'server_file_not_a_list', { path: this.path });
  }

  private async write(value: unknown): Promise<Result<object>> {
    // A link to the file stays one.
    const file = await realpath(this.path).catch(() => this.path);
    try {
      await replacePrivateFile(file, `${JSON.stringify(value, null, 2)}\n`);
      return ok({});
    } catch (error) {
      return fail('storage', 'server_file_not_written', { path: this.path }, String(error));
    }
  }
}

function problemOf({ transport, command, url, secrets }: McpDraft): ErrorText | null {
  if (transport === 'stdio' && command.trim() === '') return errorText('server_program_missing');
  if (transport !== 'stdio' && url.trim() === '') return errorText('server_address_missing');
  const names = secrets.map(({ name }) => name);
  if (new Set(names).size !== names.length) return errorText('server_variable_twice');
  const form = transport === 'stdio' ? /^[A-Za-z_][A-Za-z0-9_]*$/ : /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
  const odd = names.find((name) => !form.test(name));
  if (odd !== undefined)
    return errorText(transport === 'stdio' ? 'not_a_variable_name' : 'not_a_header_name', { name: odd });
  return null;
}

const KEEPS_NOTHING: SecretValues = {
  kind: 'session',
  get: () => null,
  set: () => undefined,
  remove: () => undefined,
};

/** What a draft becomes in the file. */
function newEntry(
  draft: McpDraft,
  servers: Record<string, unknown>,
  values: SecretValues,
): Result<Record<string, unknown>> {
  const { name, previous } = draft;
  if (name !== previous && Object.hasOwn(servers, name)) return fail('conflict', 'server_exists', { name });
  if (previous !== null && !Object.hasOwn(servers, previous))
    return fail('not_found', 'server_removed_meanwhile', { name: previous });
  return entryOf(draft, previous === null ? undefined : servers[previous], values);
}

function entryOf(draft: McpDraft, before: unknown, values: SecretValues): Result<Record<string, unknown>> {
  const known = Entry.parse(before ?? {});
  const others = Object.fromEntries(Object.entries(known).filter(([key]) => !OURS.includes(key)));
  const old = draft.transport === 'stdio' ? known.env : known.headers;
  const secrets: Record<string, string> = {};
  for (const { name, value } of draft.secrets) {
    const text = value ?? (Object.hasOwn(old, name) ? old[name] : undefined);
    if (text === undefined) return fail('invalid', 'server_value_missing', { name });
    secrets[name] = text;
  }
  // This is the last step that can fail, so that no values are stored for a rejected entry.
  const typed = (): Result<Record<string, string>> => {
    const inFile: Record<string, string> = {};
    for (const [name, text] of Object.entries(secrets)) {
      const isNew = draft.secrets.some((one) => one.name === name && one.value !== null);
      const stands = isNew ? kept(text, values) : ok(text);
      if (!stands.ok) return stands;
      inFile[name] = stands.value;
    }
    return ok(inFile);
  };
  const timeoutSeconds = draft.timeoutSeconds;
  if (draft.transport !== 'stdio') {
    const before = known.url === '' ? [] : [known.url];
    const [url = ''] = keepMasked([draft.url.trim()], before.map(shownUrl), before);
    if (variablesIn(url).length === 0 && !isWebAddress(url)) {
      return url.includes(MASK)
        ? fail('invalid', 'masked_address', { mask: MASK })
        : fail('invalid', 'address_scheme');
    }
    const headers = typed();
    if (!headers.ok) return headers;
    return ok({ ...others, type: draft.transport, url, headers: headers.value, timeoutSeconds });
  }
  const args = keepMasked(draft.args, shownArgs(known.args), known.args);
  if (args.some((arg) => arg.includes(MASK))) {
    return fail('invalid', 'masked_argument', { mask: MASK });
  }
  const cwd = draft.cwd.trim();
  const command = draft.command.trim();
  const env = typed();
  if (!env.ok) return env;
  return ok({ ...others, command, args, env: env.value, ...(cwd === '' ? {} : { cwd }), timeoutSeconds });
}
