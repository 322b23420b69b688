// Chromium's messages on standard error about optional parts of a machine, which nobody has to act on.
import { StringDecoder } from 'node:string_decoder';

/**
 * Chromium's format: [pid:day/time:LEVEL:file.cc(line)] text, since 2025 also with thread and folder. FATAL is never noise.
 */
const FORM =
  /^\[\d+(?::\d+)?:\d{4}\/\d{6}\.\d{3,6}:(?:ERROR|WARNING|INFO):(?:[\w./-]*\/)?([\w-]+)\.(?:cc|mm)[:(]\d+\)?\] (.*)$/;

/** By the source file that logs. @type {[file: RegExp, words: RegExp][]} */
const NOISE = [
  // No system bus, no session bus, or no answer.
  [/^bus$/, /^Failed to connect to the bus: /],
  [/^object_proxy$/, /^Failed to call method: org\.freedesktop\.|^Failed to call method: com\.canonical\./],
  // No graphics card: Chromium continues without one.
  [/^viz_main_impl$/, /^Exiting GPU process due to errors during initialization/],
  [/^(?:command_buffer_proxy_impl|gles2_\w+)$/, /^ContextResult::k(?:Transient|Fatal)Failure/],
  [/^gpu_process_host$/, /^GPU process (?:launch failed|exited unexpectedly)/],
  [/^gpu_(?:init|memory_buffer\w*|channel\w*|data_manager\w*|utils?)$/, /./],
  [/^(?:angle_platform_impl|gl_\w+|egl_\w+|vulkan_\w+|vaapi_\w+|gbm_\w+|drm_\w+|raster_command_\w+)$/, /./],
  [/^(?:shared_image_\w+|skia_output_\w+|display_compositor\w*|dri_\w+)$/, /./],
  [/^sandbox_linux$/, /^InitializeSandbox\(\) called with multiple threads in process gpu-process/],
];

/** System libraries on the same subjects. */
const OTHER_NOISE =
  /^(?:libva (?:error|info): |libGL(?: error)?: |MESA(?:-LOADER)?: |libEGL warning: |Gtk-Message: .*Failed to load module |\(\S+:\d+\): dconf-WARNING \*\*: )/;

/** @param {string} line without its line break */
export function isNoise(line) {
  const found = FORM.exec(line);
  if (found === null) return OTHER_NOISE.test(line);
  const [, file = '', words = ''] = found;
  return NOISE.some(([files, says]) => files.test(file) && says.test(words));
}

/** Chromium's last message when its display disappears. @param {string} line */
export const saysDisplayGone = (line) =>
  /:FATAL:[\w./-]*electron_browser_main_parts\.cc[(:]\d+\)?\] Failed to shutdown\.?$/.test(line) ||
  /:ERROR:[\w./-]*\.cc[(:]\d+\)?\] X connection error received/.test(line);

/** Matches each prefix of noise: a line of which only this much has arrived may still become noise. */
const MAY_BECOME = /^(?:$|\[(?:$|\d)|\((?:$|\S)|l(?:i(?:b|$)|$)|M(?:E|$)|G(?:t|$))/;

/**
 * Passes on everything but noise, unchanged and without delay. The start of a line that cannot become noise goes out
 * immediately, such as a prompt without a line break.
 * @param {(text: string) => void} pass
 * @param {(line: string) => boolean} [isLeftOut]
 */
export function lineFilter(pass, isLeftOut = isNoise) {
  const decoder = new StringDecoder('utf8');
  let held = '';
  /** The start of this line has been passed on, so the rest follows. */
  let passing = false;
  const take = (/** @type {string} */ text) => {
    held += text;
    for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n')) {
      const line = held.slice(0, end + 1);
      held = held.slice(end + 1);
      if (passing || !isLeftOut(line.replace(/\r?\n$/, ''))) pass(line);
      passing = false;
    }
    if (held !== '' && (passing || !MAY_BECOME.test(held))) {
      pass(held);
      held = '';
      passing = true;
    }
  };
  return {
    /** @param {Buffer | string} chunk */
    write: (chunk) => take(typeof chunk === 'string' ? chunk : decoder.write(chunk)),
    end: () => {
      take(decoder.end());
      if (held !== '' && !isLeftOut(held)) pass(held);
      held = '';
    },
  };
}

/** Removes noise from a text. @param {string} text */
export function withoutNoise(text) {
  let kept = '';
  const filter = lineFilter((part) => {
    kept += part;
  });
  filter.write(text);
  filter.end();
  return kept;
}
