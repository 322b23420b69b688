import { type ReactNode, useState } from 'react';
import { useReasons, useT } from '../../i18n';
import { call, toast, useApp } from '../../link';
import { Button, useCopy } from '../../ui';
import { Guide } from './guide';
import { Licenses } from './licenses';
import { Updates } from './updates';

/** The app's version, what helps with a problem, and the licenses of what it includes. */
export const AboutSection = () => {
  const t = useT();
  const reasons = useReasons();
  const version = useApp((app) => app.version);
  const folder = useApp((app) => app.dataFolder);
  const warnings = useApp((app) => app.warnings);
  const [showsLicenses, setShowsLicenses] = useState(false);
  const [showsGuide, setShowsGuide] = useState(false);
  const copy = useCopy();
  const copyDiagnostics = async () => {
    const result = await call('app.diagnostics', {});
    if (result.ok) copy(result.value.text, t('about.copied'));
    else toast(result.error.message);
  };
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h3 className="text-title font-semibold">Deepdesk</h3>
        <p className="text-fg-2">{t('settings.version', { version })}</p>
      </div>
      <Part title={t('about.guide')}>
        <p className="text-fg-2">{t('about.guideHint')}</p>
        {showsGuide ? (
          <Guide />
        ) : (
          <Button className="mt-1 self-start" onClick={() => setShowsGuide(true)}>
            {t('about.showGuide')}
          </Button>
        )}
      </Part>
      <Part title={t('updates.title')}>
        <Updates />
      </Part>
      <Part title={t('settings.data')}>
        <p className="text-fg-2">{t('settings.dataIn', { folder })}</p>
      </Part>
      {warnings.length > 0 && (
        <Part title={t('settings.warnings')}>
          {warnings.map((warning) => (
            <p key={warning.id} className="text-fg-2">
              {reasons.sentences([warning.why])}
            </p>
          ))}
        </Part>
      )}
      <Part title={t('about.diagnostics')}>
        <p className="text-fg-2">{t('about.diagnosticsHint')}</p>
        <Button className="mt-1 self-start" onClick={() => void copyDiagnostics()}>
          {t('about.copy')}
        </Button>
      </Part>
      <Part title={t('about.licenses')}>
        <p className="text-fg-2">{t('about.licensesHint')}</p>
        {showsLicenses ? (
          <Licenses />
        ) : (
          <Button className="mt-1 self-start" onClick={() => setShowsLicenses(true)}>
            {t('about.showLicenses')}
          </Button>
        )}
      </Part>
    </div>
  );
};

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="flex flex-col gap-1">
    <h4 className="text-title font-semibold">{title}</h4>
    {children}
  </section>
);
