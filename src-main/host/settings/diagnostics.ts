import { release } from 'node:os';
import type { AppSnapshot } from '../../contract/app';
import { DEFAULT_SETTINGS } from '../../contract/default-settings';

/**
 * Facts for a bug report, in English. Counts, versions and codes only: no keys, names, paths, addresses, messages or file
 * contents. A text of the person's own is never a fact, however harmless its setting.
 */
export function diagnostics(app: AppSnapshot, logLines: readonly string[]): string {
  const { electron = 'none', chrome = 'none', node } = process.versions;
  const ready = app.models.providers.filter((provider) => provider.ready);
  const { sandbox } = app;
  return [
    `Deepdesk ${app.version}`,
    `runtime: Electron ${electron}, Chromium ${chrome}, Node ${node}`,
    `system: ${process.platform} ${release()} ${process.arch}`,
    `fallback runtime: ${app.fallbackRuntime === null ? 'no' : 'yes'}`,
    `memory: ${Math.round(process.memoryUsage().rss / 1_000_000)} MB, running for ${Math.round(process.uptime())} s`,
    `projects: ${app.projects.length}, threads: ${app.threads.length}, terminals: ${app.terminals.length}, rules: ${app.rules.length}`,
    `providers: ${ready.map(({ id, key }) => `${id} (key: ${key})`).join(', ') || 'none ready'}`,
    `keychain: ${app.models.keychain ? 'yes' : 'no'}`,
    `sandbox for commands: ${sandbox?.kind ?? `none (${sandbox?.reason?.code ?? 'unknown'})`}`,
    `changed settings: ${changedSettings(app.settings).join(', ') || 'none'}`,
    `warnings: ${app.warnings.map(({ why }) => why.code).join(', ') || 'none'}`,
    'log:',
    ...(logLines.length === 0 ? ['  nothing'] : logLines.map((line) => `  ${line}`)),
    '',
  ].join('\n');
}

/** The names of the settings that differ from the default, with values that come from a list. */
function changedSettings(settings: AppSnapshot['settings']): string[] {
  return Object.entries(DEFAULT_SETTINGS).flatMap(([name, usual]) => {
    const value = settings[name as keyof typeof settings] ?? usual;
    if (JSON.stringify(value) === JSON.stringify(usual)) return [];
    const isFromList = typeof value === 'boolean' || typeof value === 'number' || LISTED.has(name);
    return [isFromList ? `${name}=${String(value)}` : name];
  });
}

/** Settings whose value is one of a few words. */
const LISTED: ReadonlySet<string> = new Set(['theme', 'language', 'contrast', 'motion']);
