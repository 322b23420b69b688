import type { Reason } from '@contract/shared/reasons';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useReasons, useT } from '../../i18n';
import { openSettings, type SettingsSection, useApp } from '../../link';
import { Button, Popover } from '../../ui';

/** Where the person can do what a warning asks for. */
const SECTIONS: Partial<Record<Reason['code'], SettingsSection>> = {
  folder_brings_hooks: 'hooks',
  hooks_file_left_out: 'hooks',
  folder_brings_servers: 'mcp',
  mcp_file_left_out: 'mcp',
  mcp_server_left_out: 'mcp',
  mcp_server_failed: 'mcp',
  server_files_changed: 'mcp',
  servers_need_sign_in: 'mcp',
};

/** Warnings about this run, folded into one line; hidden if there are none. */
export const Warnings = () => {
  const t = useT();
  const reasons = useReasons();
  const [open, setOpen] = useState(false);
  const warnings = useApp((app) => app.warnings);
  if (warnings.length === 0) return null;
  const label = t('sidebar.warnings', { count: warnings.length });
  return (
    <div className="px-1.5 pb-1.5">
      <Popover
        label={label}
        open={open}
        onOpenChange={setOpen}
        side="top"
        width="21.25rem"
        trigger={
          <Button
            variant="ghost"
            className="w-full justify-start px-2"
            icon={<TriangleAlert aria-hidden size={16} className="text-ask-text" />}
          >
            {label}
          </Button>
        }
      >
        <ul className="flex flex-col gap-2 p-3">
          {warnings.map(({ id, why }) => {
            const section = SECTIONS[why.code];
            return (
              <li key={id} className="flex flex-col items-start gap-1.5 text-fg-2">
                <span className="selectable">{reasons.sentences([why])}</span>
                {section !== undefined && (
                  <Button
                    size="sm"
                    onClick={() => {
                      setOpen(false);
                      openSettings(section);
                    }}
                  >
                    {t('sidebar.warningSettings')}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      </Popover>
    </div>
  );
};
