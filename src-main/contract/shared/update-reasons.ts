/** A code without values. */
type None = Record<never, never>;

/** Why a new version of the app cannot be found, downloaded or installed. */
export interface UpdateReasonValues {
  update_unreachable: { code: string };
  update_too_slow: { seconds: number };
  update_redirected: None;
  update_answer: { status: number };
  update_no_feed: None;
  update_signature_missing: None;
  update_signature_wrong: None;
  update_feed_form: None;
  update_feed_expired: { date: string };
  update_feed_replayed: None;
  update_not_for_system: { version: string };
  update_wrong_size: None;
  update_wrong_contents: None;
  update_disk_full: None;
  update_folder_read_only: { folder: string };
  update_app_moved: None;
  update_failed: { problem: string };
}
