import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { useT } from '../../i18n';
import { type SettingsSection, useApp } from '../../link';
import { cx, Dialog } from '../../ui';
import { AppearanceSection } from './appearance-section';
import { InstructionsSection } from './instructions-section';
import { ModelsSection } from './models-section';
import { SandboxSection } from './sandbox-section';
import { SecretsSection } from './secrets-section';
import { SpendingSection } from './spending-section';

interface SettingsDialogProps {
  /** The section that is shown; null keeps the dialog closed. */
  section: SettingsSection | null;
  /** Another section was chosen, or null: the dialog was closed. */
  onSection(section: SettingsSection | null): void;
  /** The section on MCP servers, which is a feature of its own. */
  mcp: ReactNode;
  /** The section on rules, which belongs to the approvals. */
  rules?: ReactNode;
  /** The section on shortcuts, which belongs to the actions. */
  shortcuts?: ReactNode;
}

const sections = [
  'models',
  'spending',
  'instructions',
  'mcp',
  'rules',
  'sandbox',
  'appearance',
  'shortcuts',
  'about',
] as const;

/** What the person sets once: models and keys, how the app looks and speaks, and what it is. */
export const SettingsDialog = ({ section, onSection, mcp, rules, shortcuts }: SettingsDialogProps) => {
  const t = useT();
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = section === null ? undefined : sections[sections.indexOf(section) + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onSection(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <Dialog
      open={section !== null}
      onOpenChange={(open) => {
        if (!open) onSection(null);
      }}
      title={t('settings.title')}
      size="wide"
    >
      <div className="flex gap-6 pt-1">
        <div
          role="tablist"
          aria-orientation="vertical"
          aria-label={t('settings.sections')}
          className="sticky top-1 flex w-36 shrink-0 flex-col gap-0.5 self-start"
          onKeyDown={onKeyDown}
        >
          {sections.map((other) => (
            <button
              key={other}
              id={`${id}-${other}`}
              type="button"
              role="tab"
              aria-selected={other === section}
              aria-controls={`${id}-panel`}
              // biome-ignore lint/a11y/noAutofocus: the dialog would put the focus on its cross
              autoFocus={other === section}
              tabIndex={other === section ? 0 : -1}
              className={cx(
                'flex h-7 items-center rounded-control px-2 text-left hover:bg-hover',
                other === section && 'bg-hover font-medium',
              )}
              onClick={() => onSection(other)}
            >
              {t(`settings.${other}`)}
            </button>
          ))}
        </div>
        <div
          id={`${id}-panel`}
          role="tabpanel"
          aria-labelledby={section === null ? undefined : `${id}-${section}`}
          className="min-w-0 grow"
        >
          {section === 'models' && <ModelsSection />}
          {section === 'spending' && <SpendingSection />}
          {section === 'instructions' && <InstructionsSection />}
          {section === 'mcp' && mcp}
          {section === 'rules' && (
            <div className="flex flex-col gap-6">
              {rules}
              <SecretsSection />
            </div>
          )}
          {section === 'sandbox' && <SandboxSection />}
          {section === 'appearance' && <AppearanceSection />}
          {section === 'shortcuts' && shortcuts}
          {section === 'about' && <About />}
        </div>
      </div>
    </Dialog>
  );
};

const About = () => {
  const t = useT();
  const version = useApp((app) => app.version);
  const folder = useApp((app) => app.dataFolder);
  const warnings = useApp((app) => app.warnings);
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h3 className="text-title font-semibold">Deepdesk</h3>
        <p className="text-fg-2">{t('settings.version', { version })}</p>
      </div>
      <Part title={t('settings.data')}>
        <p className="text-fg-2">{t('settings.dataIn', { folder })}</p>
      </Part>
      {warnings.length > 0 && (
        <Part title={t('settings.warnings')}>
          {warnings.map((warning) => (
            <p key={warning.id} className="text-fg-2">
              {warning.message}
            </p>
          ))}
        </Part>
      )}
      <p className="text-fg-2">{t('settings.licence')}</p>
    </div>
  );
};

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="flex flex-col gap-1">
    <h4 className="font-medium">{title}</h4>
    {children}
  </section>
);
