/** API calls for set-up and checks. Load and hostile requests use other clients. */
export class Api {
  constructor(url, token = '') {
    this.url = url;
    this.token = token;
  }

  as(token) {
    return new Api(this.url, token);
  }

  /** Returns { status, headers, body } with the parsed body. */
  async send(method, path, body, headers = {}) {
    const answer = await fetch(`${this.url}${/^\/hooks\/\w{26}$/.test(path) ? '' : '/api/v4'}${path}`, {
      method,
      headers: {
        ...(this.token ? { Authorization: `Bearer ${this.token}` } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type') === 'application/json';
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  }

  /** Returns the body of a successful answer and throws for any other. */
  async call(method, path, body) {
    const answer = await this.send(method, path, body);
    if (answer.status < 200 || answer.status > 299) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }

  get(path) {
    return this.call('GET', path);
  }

  post(path, body) {
    return this.call('POST', path, body);
  }

  put(path, body) {
    return this.call('PUT', path, body);
  }

  /** Signs in. Returns the token, or undefined if refused. */
  async login(loginId, password) {
    const answer = await this.as('').send('POST', '/users/login', { login_id: loginId, password });
    return answer.status === 200 ? answer.headers.get('token') : undefined;
  }
}
