/**
 * The accounts of generated requests, and a keeper that no generated request uses: it creates what they need, and
 * repairs sessions, roles and passwords that they break.
 */
import { ApiClient } from '../support/api-client.mjs';

export const PASSWORD = 'a fair password 1';
const KEEPER = 'keeper-of-the-test';

export const keeperEnv = {
  ADMIN_USERNAME: KEEPER,
  ADMIN_PASSWORD: PASSWORD,
  ADMIN_EMAIL: 'keeper@example.com',
};

const roleOf = {
  admin: 'system_admin system_user',
  member: 'system_user',
  victim: 'system_user',
};

export class Accounts {
  #keeper;
  /** Calls over the Unix socket, where failed logins of others do not delay a login. */
  #local;
  #accounts = {};
  #repairing = new Map();
  #signingIn;

  /** Signs in the keeper and creates the accounts. */
  static async create(url, localSocket) {
    const accounts = new Accounts();
    accounts.#keeper = new ApiClient(url);
    accounts.#local = new ApiClient(url, '', localSocket);
    await accounts.#signKeeperIn();
    for (const name of Object.keys(roleOf)) {
      const username = `fuzz-${name}`;
      const { id } = await accounts.call('POST', '/users', {
        username,
        email: `${username}@example.com`,
        password: PASSWORD,
      });
      accounts.#accounts[name] = { id, username, token: '' };
    }
    await accounts.repairAll();
    return accounts;
  }

  /** Calls as the keeper, who signs in again if the session has ended. Throws unless the call succeeds. */
  async call(method, path, body) {
    const answer = await this.#keeper.send(method, path, body);
    if (answer.status !== 401) return this.#success(method, path, answer);
    await this.#signKeeperIn();
    return this.#keeper.call(method, path, body);
  }

  /** Calls as the account, which is repaired if its session has ended. Throws unless the call succeeds. */
  async callAs(name, method, path, body) {
    const answer = await this.#keeper.as(this.tokenOf(name)).send(method, path, body);
    if (answer.status !== 401) return this.#success(method, path, answer);
    await this.repair(name);
    return this.#keeper.as(this.tokenOf(name)).call(method, path, body);
  }

  /** The response to a message for an incoming webhook. */
  callHook(id, body) {
    return this.#keeper.as('').send('POST', `/hooks/${id}`, body);
  }

  idOf(name) {
    return this.#accounts[name].id;
  }

  tokenOf(name) {
    return this.#accounts[name]?.token ?? '';
  }

  usernameOf(name) {
    return this.#accounts[name].username;
  }

  async repairAll() {
    for (const name of Object.keys(this.#accounts)) await this.repair(name);
  }

  /** Makes the account usable again. Simultaneous calls share one repair. */
  repair(name) {
    let repair = this.#repairing.get(name);
    if (!repair) {
      repair = this.#repairAccount(this.#accounts[name], roleOf[name]).finally(() =>
        this.#repairing.delete(name),
      );
      this.#repairing.set(name, repair);
    }
    return repair;
  }

  #success(method, path, { status, text, body }) {
    if (status < 200 || status > 299) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return body;
  }

  /** Simultaneous calls share one sign-in. */
  #signKeeperIn() {
    this.#signingIn ??= this.#login(KEEPER)
      .then((keeper) => {
        if (!keeper) throw new Error('The keeper of the test cannot sign in any more.');
        this.#keeper = keeper;
      })
      .finally(() => (this.#signingIn = undefined));
    return this.#signingIn;
  }

  /** A client that is signed in, or undefined. */
  async #login(username) {
    const client = await this.#local.login(username, PASSWORD);
    return client && this.#keeper.as(client.token);
  }

  async #repairAccount(account, role) {
    const own = await this.#keeper.as(account.token).send('GET', '/users/me');
    if (own.status === 200 && own.body.username === account.username && own.body.roles === role) return;
    const user = await this.call('GET', `/users/${account.id}`);
    if (user.username !== account.username)
      await this.call('PUT', `/users/${account.id}/patch`, { username: account.username });
    if (user.is_bot) await this.call('POST', `/bots/${account.id}/convert_to_user`, { password: PASSWORD });
    if (user.delete_at > 0) await this.call('PUT', `/users/${account.id}/active`, { active: true });
    if (user.roles !== role) await this.call('PUT', `/users/${account.id}/roles`, { roles: role });
    if (own.status === 200) return;
    let client = await this.#login(account.username);
    if (!client) {
      await this.call('PUT', `/users/${account.id}/password`, { new_password: PASSWORD });
      client = await this.#login(account.username);
    }
    if (!client) throw new Error(`The account ${account.username} cannot be repaired.`);
    account.token = client.token;
  }
}
