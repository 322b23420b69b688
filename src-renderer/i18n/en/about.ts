export const about = {
  diagnostics: 'Diagnostics',
  diagnosticsHint:
    'Versions, counts and error codes for a bug report. They contain no keys, names, paths, messages or file contents.',
  copy: 'Copy diagnostics',
  copied: 'Diagnostics copied',
  licenses: 'Licenses',
  licensesHint: 'Deepdesk is free software under the MIT license. It includes work of others.',
  showLicenses: 'Show licenses',
  findPackage: 'Search packages',
  noPackage: 'No package matches.',
  noLicenses: 'This build does not list its packages.',
  noText: 'This package comes without the text of its license.',
  packages: { one: '{count} package', other: '{count} packages' },
} as const;
