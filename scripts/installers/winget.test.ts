import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { wingetManifests } from './builder.mjs';

// What the manifest schema 1.6.0 of winget demands of the fields that we write.
const Shared = {
  PackageIdentifier: z.string().regex(/^[^.\s\\/:*?"<>|]{1,32}(\.[^.\s\\/:*?"<>|]{1,32}){1,7}$/),
  PackageVersion: z
    .string()
    .max(128)
    .regex(/^[^\\/:*?"<>|]+$/),
  ManifestVersion: z.literal('1.6.0'),
};
const Version = z.strictObject({
  ...Shared,
  DefaultLocale: z.literal('en-US'),
  ManifestType: z.literal('version'),
});
const Installer = z.strictObject({
  ...Shared,
  InstallerType: z.enum(['nullsoft']),
  Scope: z.enum(['user', 'machine']),
  UpgradeBehavior: z.enum(['install', 'uninstallPrevious']),
  Protocols: z.array(z.string()).max(64),
  ReleaseDate: z.iso.date(),
  Installers: z
    .array(
      z.strictObject({
        Architecture: z.enum(['x64', 'arm64']),
        InstallerUrl: z.url().max(2048),
        InstallerSha256: z.string().regex(/^[A-F0-9]{64}$/),
      }),
    )
    .min(1),
  ManifestType: z.literal('installer'),
});
const Locale = z.strictObject({
  ...Shared,
  PackageLocale: z.literal('en-US'),
  Publisher: z.string().min(2).max(256),
  PackageName: z.string().min(2).max(256),
  PackageUrl: z.url(),
  License: z.string().min(3).max(512),
  LicenseUrl: z.url(),
  ShortDescription: z.string().min(3).max(256),
  ManifestType: z.literal('defaultLocale'),
});

describe('the winget manifests', () => {
  it('have the fields that winget demands, and agree with each other', () => {
    const made = wingetManifests({
      sha256: 'ab'.repeat(32),
      url: 'https://downloads.example/deepdesk-setup.exe',
      date: '2026-12-01',
    });
    expect(Object.keys(made)).toEqual([
      'Deepdesk.Deepdesk.yaml',
      'Deepdesk.Deepdesk.installer.yaml',
      'Deepdesk.Deepdesk.locale.en-US.yaml',
    ]);
    const [version, installer, locale] = Object.values(made);
    expect(Version.parse(version).PackageVersion).toBe(Installer.parse(installer).PackageVersion);
    expect(Locale.parse(locale).PackageIdentifier).toBe(Version.parse(version).PackageIdentifier);
  });
});
