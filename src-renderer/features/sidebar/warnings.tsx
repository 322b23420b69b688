import { TriangleAlert } from 'lucide-react';
import { useReasons, useT } from '../../i18n';
import { useApp } from '../../link';
import { Button, Popover } from '../../ui';

/** Warnings about this run, folded into one line; hidden if there are none. */
export const Warnings = () => {
  const t = useT();
  const reasons = useReasons();
  const warnings = useApp((app) => app.warnings);
  if (warnings.length === 0) return null;
  const label = t('sidebar.warnings', { count: warnings.length });
  return (
    <div className="px-1.5 pb-1.5">
      <Popover
        label={label}
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
          {warnings.map((warning) => (
            <li key={warning.id} className="selectable text-fg-2">
              {reasons.sentences([warning.why])}
            </li>
          ))}
        </ul>
      </Popover>
    </div>
  );
};
