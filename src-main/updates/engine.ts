import type { UpdateInfo } from 'electron-updater';
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js';
import { AppImageUpdater } from 'electron-updater/out/AppImageUpdater.js';
import { DownloadedUpdateHelper } from 'electron-updater/out/DownloadedUpdateHelper.js';
import { MacUpdater } from 'electron-updater/out/MacUpdater.js';
import { NsisUpdater } from 'electron-updater/out/NsisUpdater.js';
import { Provider, resolveFiles } from 'electron-updater/out/providers/Provider.js';
import type { Feed, FeedFile } from './feed';
import { identityOf, replaceApp, replaceable, verifyUnchanged } from './replace-app';
import { download, type Patience } from './request';

export interface EngineOptions {
  version: string;
  /** The folder for downloads. */
  folder: string;
  /** The AppImage that runs; null: another kind of package. */
  appImage: string | null;
  /** electron-builder's file beside the app, which names the publisher whose signature Windows checks. */
  configFile: string;
  patience: Patience;
}

/** A verified new version. */
export interface Verified {
  feed: Feed;
  file: FeedFile;
  /** The address of the file. */
  url: URL;
}

/** Applies the downloaded version while the app quits. Throws if it could not. */
export type Apply = () => void;

/**
 * Downloads a verified version with electron-updater. electron-updater gets its facts from the verified feed alone and makes
 * no request itself: `download` makes the only one, with the limits of the feed.
 */
export async function downloadVerified(
  options: EngineOptions,
  verified: Verified,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (percent: number) => void },
): Promise<Apply> {
  let onQuit: ((exitCode: number) => void) | undefined;
  const adapter: AppAdapter = {
    version: options.version,
    name: 'deepdesk',
    isPackaged: true,
    appUpdateConfigPath: options.configFile,
    userDataPath: options.folder,
    baseCachePath: options.folder,
    whenReady: async () => undefined,
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: (handler) => {
      onQuit = handler;
    },
  };
  const updater = updaterFor(options, verified, adapter);
  let failure: unknown;
  updater.on('error', (error: unknown) => {
    failure = error;
  });
  Object.assign(updater, {
    logger: null,
    autoDownload: false,
    disableDifferentialDownload: true,
    disableWebInstaller: true,
    downloadedUpdateHelper: new DownloadedUpdateHelper(options.folder),
    // Without it, electron-updater would keep a random number for staged releases.
    stagingUserIdPromise: { value: Promise.resolve('') },
    httpExecutor: {
      download: (_url: URL, into: string) =>
        download(verified.url, verified.file, {
          into,
          signal,
          patience: options.patience,
          onProgress: (bytes) => onProgress(Math.floor((bytes / verified.file.size) * 100)),
        }),
    },
  });
  const info: UpdateInfo = {
    version: verified.feed.version,
    releaseDate: verified.feed.date,
    files: [{ url: verified.url.href, sha512: verified.file.sha512, size: verified.file.size }],
    path: verified.file.name,
    sha512: verified.file.sha512,
  };
  class VerifiedFeed extends Provider<UpdateInfo> {
    async getLatestVersion() {
      return info;
    }
    resolveFiles() {
      return resolveFiles(info, verified.url);
    }
  }
  updater.setFeedURL({ provider: 'custom', updateProvider: VerifiedFeed as never });
  const found = await updater.checkForUpdates();
  if (found?.isUpdateAvailable !== true) throw new Error('electron-updater does not take the version');
  await updater.downloadUpdate();
  return () => {
    failure = undefined;
    // An installer is started from where it was downloaded to, hours later. macOS has its own copy, and checks its signature.
    if (updater instanceof VerifiedNsisUpdater) updater.verify(verified.file);
    onQuit?.(0);
    if (failure !== undefined) throw failure;
  };
}

function updaterFor({ appImage }: EngineOptions, { file }: Verified, adapter: AppAdapter) {
  if (appImage !== null) return new AtomicAppImageUpdater(appImage, file, adapter);
  // The constructor of this one takes no adapter in its type, but passes it on.
  return process.platform === 'darwin'
    ? new MacUpdater(undefined, adapter)
    : new VerifiedNsisUpdater(undefined, adapter);
}

class VerifiedNsisUpdater extends NsisUpdater {
  verify(file: FeedFile): void {
    if (this.installerPath !== null) verifyUnchanged(this.installerPath, file);
  }
}

class AtomicAppImageUpdater extends AppImageUpdater {
  /** The app's file before the download. */
  private readonly before: string;

  constructor(
    private readonly appImage: string,
    private readonly file: FeedFile,
    adapter: AppAdapter,
  ) {
    super(undefined, adapter);
    this.before = identityOf(replaceable(appImage));
  }

  protected override doInstall(): boolean {
    if (this.installerPath === null) return false;
    replaceApp(this.appImage, this.installerPath, this.file, this.before);
    return true;
  }
}
