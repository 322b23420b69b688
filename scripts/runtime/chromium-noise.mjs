// What Chromium writes to standard error about parts that a machine may well lack, which nobody has to act on.
import { StringDecoder } from 'node:string_decoder';

/** Chromium's own form: [pid:day/time:LEVEL:file.cc(line)] words, since 2025 with thread and folder too. FATAL is no noise. */
const FORM =
  /^\[\d+(?::\d+)?:\d{4}\/\d{6}\.\d{3,6}:(?:ERROR|WARNING|INFO):(?:[\w./-]*\/)?([\w-]+)\.(?:cc|mm)[:(]\d+\)?\] (.*)$/;

/** By the file that speaks. @type {[file: RegExp, words: RegExp][]} */
const NOISE = [
  // No system bus, no session bus, or nobody there who answers.
  [/^bus$/, /^Failed to connect to the bus: /],
  [/^object_proxy$/, /^Failed to call method: org\.freedesktop\.|^Failed to call method: com\.canonical\./],
  // No graphics card: Chromium goes on without.
  [/^viz_main_impl$/, /^Exiting GPU process due to errors during initialization/],
  [/^command_buffer_proxy_impl$/, /^ContextResult::k(?:Transient|Fatal)Failure/],
  [/^gpu_process_host$/, /^GPU process (?:launch failed|exited unexpectedly)/],
  [/^gpu_(?:init|memory_buffer\w*|channel\w*|data_manager\w*|utils?)$/, /./],
  [/^(?:angle_platform_impl|gl_\w+|egl_\w+|vulkan_\w+|vaapi_\w+|gbm_\w+|drm_\w+|raster_command_\w+)$/, /./],
  [/^(?:shared_image_\w+|skia_output_\w+|display_compositor\w*|dri_\w+)$/, /./],
  [/^sandbox_linux$/, /^InitializeSandbox\(\) called with multiple threads in process gpu-process/],
];

/** Libraries of the system on the same subjects. */
const OTHER_NOISE =
  /^(?:libva (?:error|info): |libGL(?: error)?: |MESA(?:-LOADER)?: |libEGL warning: |Gtk-Message: .*Failed to load module |\(\S+:\d+\): dconf-WARNING \*\*: )/;

/** @param {string} line without its end */
export function isNoise(line) {
  const found = FORM.exec(line);
  if (found === null) return OTHER_NOISE.test(line);
  const [, file = '', words = ''] = found;
  return NOISE.some(([files, says]) => files.test(file) && says.test(words));
}

/** Chromium's last words when the display goes away under it. @param {string} line */
export const saysDisplayGone = (line) =>
  /:FATAL:[\w./-]*electron_browser_main_parts\.cc[(:]\d+\)?\] Failed to shutdown\.?$/.test(line) ||
  /:ERROR:[\w./-]*\.cc[(:]\d+\)?\] X connection error received/.test(line);

/** Longer than what noise begins with; a line of which less has come may still become noise. */
const MAY_BECOME = /^(?:$|\[(?:$|\d)|\((?:$|\S)|l(?:i(?:b|$)|$)|M(?:E|$)|G(?:t|$))/;

/**
 * Passes on what is no noise, unchanged and without waiting: the beginning of a line that cannot become noise goes out at
 * once, such as a question without an end of line.
 * @param {(text: string) => void} pass
 * @param {(line: string) => boolean} [isLeftOut]
 */
export function lineFilter(pass, isLeftOut = isNoise) {
  const decoder = new StringDecoder('utf8');
  let held = '';
  /** The beginning of this line is out, so the rest follows. */
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

/** A text without noise. @param {string} text */
export function withoutNoise(text) {
  let kept = '';
  const filter = lineFilter((part) => {
    kept += part;
  });
  filter.write(text);
  filter.end();
  return kept;
}
