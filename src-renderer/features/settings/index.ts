export { ModelPicker } from './model-picker';
export { SettingsDialog } from './settings-dialog';
export { useUpdateNotice } from './use-update-notice';
