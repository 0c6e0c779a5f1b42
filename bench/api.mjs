/** The API calls of the benchmark, for any server with the Mattermost v4 API. */
export class Api {
  constructor(url, token = '') {
    this.url = url;
    this.token = token;
  }

  async login(loginId, password) {
    const answer = await fetch(`${this.url}/api/v4/users/login`, {
      method: 'POST',
      body: JSON.stringify({ login_id: loginId, password }),
    });
    if (!answer.ok) throw new Error(`Login failed: ${await answer.text()}`);
    this.token = answer.headers.get('token');
  }

  async call(method, path, body) {
    const answer = await fetch(`${this.url}/api/v4${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  get(path) {
    return this.call('GET', path);
  }

  post(path, body) {
    return this.call('POST', path, body);
  }

  /** Creates a team with an open channel for one measurement. */
  async makeChannel() {
    const name = `bench-${Date.now().toString(36)}`;
    const team = await this.post('/teams', { name, display_name: 'Bench', type: 'O' });
    return this.post('/channels', {
      team_id: team.id,
      name: `${name}-posts`,
      display_name: 'Bench posts',
      type: 'O',
    });
  }

  async messageCount(channelId) {
    return (await this.get(`/channels/${channelId}`)).total_msg_count;
  }
}
