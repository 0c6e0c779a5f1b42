import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CLIENT = { client_id: 'hook line', client_secret: 'client:secret & more+' };

/** A real OAuth 2 server with one client for each way to authenticate, and its number of token requests. */
export class OAuthServer {
  tokenRequests = 0;

  private constructor(
    private readonly server: Server,
    private readonly provider: any,
  ) {}

  static async start(): Promise<OAuthServer> {
    const warnings = jest.spyOn(console, 'warn').mockImplementation(); // that it is not meant for production
    const { default: Provider } = await import('oidc-provider');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [] };
    const provider = new Provider(origin, {
      clients: ['basic', 'post'].map((method) => ({
        ...client,
        client_id: method === 'basic' ? CLIENT.client_id : 'post',
        client_secret: CLIENT.client_secret,
        token_endpoint_auth_method: `client_secret_${method}`,
      })),
      scopes: ['deploy'],
      features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
      ttl: { ClientCredentials: 600 },
    });
    warnings.mockRestore();
    const oauth = new OAuthServer(server, provider);
    const answer = provider.callback();
    server.on('request', (request, response) => {
      oauth.tokenRequests += 1;
      answer(request, response);
    });
    return oauth;
  }

  get tokenUrl(): string {
    return `${this.provider.issuer}/token`;
  }

  /** The token of a header `Authorization`, if it is valid. */
  async tokenIn(authorization: string | undefined): Promise<any> {
    return this.provider.ClientCredentials.find(authorization?.replace(/^Bearer /, '') ?? '');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
