/** The common part of the responses of all test clients. */
interface ErrorAnswer {
  readonly status: number;
  readonly body: any;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Expects an error body of the contract with this status, and this id if one is given. `named` must occur in its
 * message. If the client provides headers, they must match the body.
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
