import { checkBase64Picture } from '@contract/picture-size';
import { useEffect, useSyncExternalStore } from 'react';
import { LanguageProvider, languageFor, useT } from '../i18n';
import { speakErrors, toast, useApp, usePort } from '../link';
import { CopyToldProvider, DiagramsProvider, ErrorNote, OwnPicturesProvider, Spinner } from '../ui';
import { drawDiagram } from './draw-diagram';
import { Frame } from './frame';
import { Part } from './part';
import { type Looks, useTheme } from './theme';

const SYSTEM: Looks = { theme: 'system' };
const isShownPicture = (base64: string) => checkBase64Picture(base64) === 'fits';

/**
 * Renders the frame in the person's language and theme. Starts from the last known state, if there is one, so that you can
 * type while the main process starts. Otherwise waits for the main process.
 */
export const App = () => {
  const { phase, error, isShown } = usePort();
  const system = useSyncExternalStore(watchLanguage, () => navigator.language);

  if (isShown && phase !== 'failed') return <Ready system={system} />;
  return (
    <LanguageProvider language={languageFor('system', system)}>
      {phase === 'failed' ? <Failed detail={error?.message} /> : <Waiting />}
    </LanguageProvider>
  );
};

const Ready = ({ system }: { system: string }) => {
  const setting = useApp((app) => app.settings.language);
  const looks = useApp((app) => app.settings);
  const language = languageFor(setting, system);
  useTheme(looks);
  useEffect(() => {
    document.documentElement.lang = language;
    speakErrors(language);
  }, [language]);
  return (
    <LanguageProvider language={language}>
      <DiagramsProvider value={drawDiagram}>
        <OwnPicturesProvider value={isShownPicture}>
          <CopyToldProvider value={toast}>
            <Part>
              <Frame />
            </Part>
          </CopyToldProvider>
        </OwnPicturesProvider>
      </DiagramsProvider>
    </LanguageProvider>
  );
};

const Waiting = () => {
  const t = useT();
  useTheme(SYSTEM);
  return (
    <p className="flex h-full items-center justify-center gap-2 text-fg-3">
      <Spinner /> {t('app.starting')}
    </p>
  );
};

const Failed = ({ detail }: { detail: string | undefined }) => {
  const t = useT();
  useTheme(SYSTEM);
  return (
    <div className="mx-auto max-w-xl p-8">
      <ErrorNote message={t('app.notConnected')} detail={detail} />
    </div>
  );
};

function watchLanguage(changed: () => void): () => void {
  window.addEventListener('languagechange', changed);
  return () => window.removeEventListener('languagechange', changed);
}
