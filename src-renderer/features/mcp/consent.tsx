import type { McpServer, McpSetup } from '@contract/mcp';
import { listed, useT } from '../../i18n';
import { Button, ErrorNote, ExactText } from '../../ui';

interface ConsentProps {
  server: McpServer;
  setup: McpSetup;
  onAllow(): void;
}

/** Exactly what would be started, shown before it starts: opening a folder from elsewhere must not start programs. */
export const Consent = ({ server: { scope, source }, setup, onAllow }: ConsentProps) => {
  const t = useT();
  const { transport, command, args, cwd, url, secrets, variables, files = [] } = setup;
  const isProgram = transport === 'stdio';
  return (
    <div className="flex flex-col gap-2">
      <ErrorNote tone="ask" message={t(scope === 'project' ? 'mcp.consentTitle' : 'mcp.consentChanged')} />
      <p className="text-fg-2">{t(isProgram ? 'mcp.consentProgram' : 'mcp.consentAddress')}</p>
      <pre className="selectable max-h-48 overflow-auto rounded-control bg-sunken p-2 font-mono text-code break-words whitespace-pre-wrap">
        {/* One argument per line, with line breaks escaped, so that no argument can pass for another. */}
        <ExactText text={isProgram ? [command, ...args].map(onOneLine).join('\n  ') : url} strict />
      </pre>
      <ul className="flex flex-col gap-0.5 text-small text-fg-2">
        {cwd !== '' && (
          <li>
            <ExactText text={t('mcp.consentFolder', { folder: cwd })} />
          </li>
        )}
        {secrets.length > 0 && (
          <li>
            <ExactText text={t('mcp.consentSecrets', { names: listed(t, secrets) })} />
          </li>
        )}
        {variables.length > 0 && <li>{t('mcp.consentVariables', { names: listed(t, variables) })}</li>}
        {files.length > 0 && (
          <li>
            <ExactText
              text={t(scope === 'project' ? 'mcp.consentFiles' : 'mcp.consentOwnFiles', {
                files: listed(t, files),
              })}
            />
          </li>
        )}
        <li>{t('mcp.source', { source })}</li>
      </ul>
      {scope === 'project' && <p className="text-small text-fg-3">{t('mcp.consentHint')}</p>}
      <div className="flex justify-end">
        <Button size="sm" onClick={onAllow}>
          {t('mcp.allow')}
        </Button>
      </div>
    </div>
  );
};

const onOneLine = (text: string) => text.replaceAll('\r', '\\r').replaceAll('\n', '\\n');
