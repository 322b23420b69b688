/** An HTTP server no longer knows the session, so it has not carried out what was asked. */
export class SessionForgotten extends Error {
  override readonly message = 'The server has ended the session.';
}
