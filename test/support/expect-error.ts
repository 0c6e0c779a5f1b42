/** What an answer of any of the clients here has in common. */
interface ErrorAnswer {
  readonly status: number;
  readonly body: any;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Expects an error in the shape of the contract, with this status both outside and inside, and with this id unless none
 * is given; `named` is in its message. Where the client gives headers, they must agree with it.
 */
export function expectError(answer: ErrorAnswer, status: number, id?: string | RegExp, named = ''): void {
  const { body, headers } = answer;
  expect({ status: answer.status, id: body?.id }).toEqual({
    status,
    id: id instanceof RegExp ? expect.stringMatching(id) : (id ?? body?.id),
  });
  expect(Object.keys(body)).toEqual(['id', 'message', 'detailed_error', 'request_id', 'status_code']);
  expect(body).toMatchObject({ status_code: status, message: expect.stringMatching(/./) });
  expect(body.message).toContain(named);
  if (!headers) return;
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-request-id': body.request_id });
}
