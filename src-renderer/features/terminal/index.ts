export { TerminalDock } from './terminal-dock';
