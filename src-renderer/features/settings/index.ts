export { ModelPicker } from './model-picker';
export { SettingsDialog } from './settings-dialog';
