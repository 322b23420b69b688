import type { modeHints as enHints, modes as enModes, modeTexts as enTexts } from '../en/modes';
import type { Same } from '../types';

export const modes: Same<typeof enModes> = {
  'auto-sandbox': '沙箱内自动',
  'ask-risky': '更改前询问',
  'ask-all': '全部询问',
  plan: '仅规划',
};

export const modeHints: Same<typeof enHints> = {
  'auto-sandbox': '限制在此文件夹内的操作不经询问即运行',
  'ask-risky': '只读操作直接运行，其余询问',
  'ask-all': '离开会话的每一步都询问',
  plan: '智能体只阅读和规划，不做更改',
};

export const modeTexts: Same<typeof enTexts> = {
  'auto-sandbox': '仅限于此文件夹的更改和命令无需询问即可运行。超出范围的操作会先询问。',
  'ask-risky': '读取操作直接运行。每项更改进入你的文件夹之前，都由你决定。',
  'ask-all': '每个超出会话范围的步骤都会先询问。适用于你不信任的文件夹。',
  plan: '智能体阅读并制定计划。它不做任何更改。',
};
