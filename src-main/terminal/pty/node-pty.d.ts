// The package is installed under node-pty's name but declares its types under another.
/// <reference path="../../../node_modules/node-pty/node-pty.d.ts" />
declare module 'node-pty' {
  export * from '@lydell/node-pty';
}
