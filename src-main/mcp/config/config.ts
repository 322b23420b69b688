import { createHash } from 'node:crypto';
import { z } from 'zod';
import { jsonFault } from '../../base/json-position';
import { parseJson } from '../../base/limited-json';
import { readRegularText } from '../../base/open-regular';
import { isRefused, type Refused } from '../../base/regular-file';
import { formProblem } from '../../contract/shared/form-problem';
import { because, type Reason } from '../../contract/shared/reasons';
import { isSecretName, MASK, shownArgs, shownUrl } from '../masks';
import { variablesIn } from './variables';

/** Maximum size in bytes of a configuration file. */
export const MAX_FILE = 1_000_000;
/** Maximum nesting of objects and arrays; an entry needs three levels. */
export const MAX_DEPTH = 32;
/** Default timeout in seconds of a call and of starting. */
const CALL_TIMEOUT = 60;
const START_TIMEOUT = 30;

/** A configured server in the form that many programs share, with variables not yet expanded. */
export interface ServerConfig {
  name: string;
  transport: 'stdio' | 'http' | 'sse';
  /** Empty for `http` and `sse`. */
  command: string;
  args: string[];
  /** Empty: the default folder. */
  cwd: string;
  /** Empty for `stdio`. */
  url: string;
  /** Environment variables for `stdio`, headers for the others. */
  secrets: Record<string, string>;
  /** Names of Deepdesk's environment variables that are passed to it. */
  variables: string[];
  /** Milliseconds. */
  callTimeout: number;
  startTimeout: number;
  disabled: boolean;
  /** Its texts hold no variables or references to expand. */
  isLiteral?: true;
  /** SHA-256 (hex) of its name and its complete entry. Consent applies to this digest. */
  digest: string;
}

export type ConfigEntry = { name: string; digest: string } & (
  | { ok: true; config: ServerConfig }
  | { ok: false; why: Reason }
);

export interface ConfigFile {
  entries: ConfigEntry[];
  /** Why the file could not be read; null if it was read or does not exist. */
  problem: Reason | null;
}

const Kind = z.enum(['stdio', 'http', 'sse', 'streamable-http', 'streamable_http', 'streamableHttp']);
const Texts = z.record(z.string(), z.string());

/** Ignores the keys of other programs. */
const Entry = z.object({
  type: Kind.optional(),
  transport: Kind.optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
  env: Texts.default({}),
  cwd: z.string().default(''),
  url: z.string().optional(),
  headers: Texts.default({}),
  disabled: z.boolean().default(false),
  timeoutSeconds: z.number().positive().max(3_600).default(CALL_TIMEOUT),
  startTimeoutSeconds: z.number().positive().max(600).default(START_TIMEOUT),
});

const Servers = z.object({ mcpServers: z.record(z.string(), z.unknown()) });
/** An object without anything has no servers yet. One with other keys only, such as `servers`, is of another program. */
const File = z.union([Servers, z.strictObject({}).transform(() => ({ mcpServers: {} }))]);

/**
 * Reads a file of the form `{"mcpServers": {"name": {…}}}`. A missing file has no servers. `folder`: the project folder that
 * the file must be in; null for the person's file, which may be a link to anywhere.
 */
export async function readConfigFile(path: string, folder: string | null): Promise<ConfigFile> {
  const read = await readRegularText(path, { root: folder, maxBytes: MAX_FILE });
  if (!isRefused(read)) return parseConfig(read.text);
  return { entries: [], problem: read.refused === 'missing' ? null : whyNotRead(read) };
}

function whyNotRead({ refused, code }: Refused): Reason {
  switch (refused) {
    case 'missing':
      return because('mcp_file_missing');
    case 'outside':
      return because('mcp_file_outside');
    case 'not_regular':
      return because('mcp_file_not_regular');
    case 'too_large':
      return because('mcp_file_too_large');
    case 'denied':
      return because('mcp_file_denied');
    case 'unavailable':
      return because('mcp_file_unreadable', { code });
  }
}

/** Parses the text of such a file. Invalid entries are reported; the others are used. */
export function parseConfig(text: string): ConfigFile {
  const parsed = parseJson(text, { maxBytes: MAX_FILE, maxDepth: MAX_DEPTH });
  // The parser's message quotes the text, which may contain a secret.
  if ('problem' in parsed) return { entries: [], problem: notParsed(text, parsed.problem) };
  const file = File.safeParse(parsed.value);
  if (!file.success) return { entries: [], problem: because('mcp_file_without_servers') };
  return {
    entries: Object.entries(file.data.mcpServers).map(([name, raw]) => entryOf(name, raw)),
    problem: null,
  };
}

function notParsed(text: string, problem: 'invalid' | 'too_deep' | 'too_large'): Reason {
  if (problem === 'too_large') return because('mcp_file_too_large');
  if (problem === 'too_deep') return because('json_too_deep');
  return because('json_at', jsonFault(text) ?? { line: 1, column: 1 });
}

function entryOf(name: string, raw: unknown): ConfigEntry {
  const digest = digestOf({ name, raw });
  const wrong = (why: Reason): ConfigEntry => ({ name, digest, ok: false, why });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name is shown in one line
  if (name === '' || name.length > 64 || /[\0-\x1f\x7f]/.test(name)) {
    return wrong(because('mcp_name_form'));
  }
  const parsed = Entry.safeParse(raw);
  if (!parsed.success) return wrong(formProblem(parsed.error));
  const entry = parsed.data;
  const kind = entry.type ?? entry.transport ?? (entry.command === undefined ? 'http' : 'stdio');
  const transport = kind === 'stdio' || kind === 'sse' ? kind : 'http';
  if (transport === 'stdio' && entry.command === undefined) return wrong(because('mcp_no_command'));
  if (transport !== 'stdio' && entry.url === undefined) return wrong(because('mcp_no_command_or_url'));
  const url = transport === 'stdio' ? '' : (entry.url ?? '');
  // A variable may stand for any part of the address, so the address is checked again after expansion.
  if (transport !== 'stdio' && variablesIn(url).length === 0 && !isWebAddress(url)) {
    return wrong(because('mcp_url_scheme'));
  }
  const command = transport === 'stdio' ? (entry.command ?? '') : '';
  const args = transport === 'stdio' ? entry.args : [];
  const secrets = transport === 'stdio' ? entry.env : entry.headers;
  const texts = [command, ...args, entry.cwd, url, ...Object.values(secrets)];
  if (texts.some((one) => one.includes('\0'))) return wrong(because('mcp_nul_character'));
  return {
    name,
    digest,
    ok: true,
    config: {
      name,
      transport,
      command,
      args,
      cwd: entry.cwd,
      url,
      secrets,
      variables: [...new Set(texts.flatMap(variablesIn))].sort(),
      callTimeout: entry.timeoutSeconds * 1_000,
      startTimeout: entry.startTimeoutSeconds * 1_000,
      disabled: entry.disabled,
      digest,
    },
  };
}

/**
 * The configuration as the window may see it. `exact`: somebody else wrote it, and consent covers what it does, so nothing
 * that could be a command is masked. Only values whose names mark them as secrets are omitted.
 */
export const setupOf = (config: ServerConfig, exact: boolean) => ({
  transport: config.transport,
  command: config.command,
  args: exact ? config.args : shownArgs(config.args),
  cwd: config.cwd,
  url: exact || config.url === '' ? config.url : shownUrl(config.url),
  secrets: Object.entries(config.secrets).map(([name, value]) =>
    exact && !isSecretName(name) ? `${name}=${value}` : name,
  ),
  variables: config.variables,
  timeoutSeconds: config.callTimeout / 1_000,
});

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol) && !text.includes(MASK);
}

/** Objects with the same content have the same digest, regardless of the order of their keys. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
}
