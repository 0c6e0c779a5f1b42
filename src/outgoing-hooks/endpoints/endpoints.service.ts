import { Injectable } from '@nestjs/common';
import { type LaneLimits, LaneLimitsService } from '../../delivery/dispatch/limits/lane-limits.service.js';
import { type Overdue, OverdueLanes } from '../../delivery/dispatch/overdue-lanes.js';
import type { Page } from '../../platform/common/dto/params.js';
import { InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { laneOf } from '../delivery-log/all-deliveries-query.js';
import { outgoingHooksDisabled } from '../outgoing-hooks.errors.js';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import { EndpointDirectory } from './endpoint-directory.js';
import type { EndpointState, EndpointSummary, EndpointUse } from './endpoint-index.js';

/** How many webhooks of an endpoint a list names, and its own page. */
export const MAX_LISTED_HOOKS = 10;
export const MAX_SHOWN_HOOKS = 200;
const MAX_TERM_LENGTH = 300;

/** An endpoint with some of the webhooks that call it. */
export interface Endpoint extends EndpointSummary {
  readonly hooks: readonly EndpointUse[];
  /** Until when it is spared; 0 if it is not. */
  readonly sparedUntil: number;
}

/** Which endpoints to list. */
export interface EndpointQuery {
  readonly state: EndpointState | undefined;
  /** What its name contains. */
  readonly term: string | undefined;
}

/** One page of endpoints, and how many there are. */
export interface EndpointPage {
  readonly endpoints: readonly Endpoint[];
  /** Those that the query means. */
  readonly totalCount: number;
  /** Those among all. */
  readonly failingCount: number;
  readonly disabledCount: number;
  readonly overdue: Overdue;
}

/** An endpoint, and how many calls it gets. */
export interface EndpointDetail extends Endpoint {
  readonly limits: LaneLimits;
}

/** The endpoints that outgoing webhooks in use call (docs/contract/outgoing-webhooks.md#endpoints). */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly limits: LaneLimitsService,
    private readonly lanes: OverdueLanes,
    private readonly settings: OutgoingHooksSettings,
  ) {}

  /** Those that need somebody first. Throws InvalidUrlParam. */
  async list({ state, term = '' }: EndpointQuery, { offset, perPage }: Page): Promise<EndpointPage> {
    this.requireEnabled();
    if (term.length > MAX_TERM_LENGTH)
      throw new InvalidUrlParam('term', `it may have ${MAX_TERM_LENGTH} characters at most`);
    const index = await this.directory.get();
    const all = index.all();
    const text = term.toLowerCase();
    const meant = all.filter(
      (one) => (state === undefined || one.state === state) && one.endpoint.includes(text),
    );
    const page = meant.slice(offset, offset + perPage);
    const [spared, overdue] = await Promise.all([
      this.limits.sparedUntil(page.map(({ endpoint }) => endpoint)),
      this.lanes.find(),
    ]);
    return {
      endpoints: page.map((one) => ({
        ...one,
        hooks: index.usesOf(one.endpoint, MAX_LISTED_HOOKS),
        sparedUntil: spared.get(one.endpoint) ?? 0,
      })),
      totalCount: meant.length,
      failingCount: all.filter((one) => one.state === 'failing').length,
      disabledCount: all.filter((one) => one.state === 'disabled').length,
      overdue,
    };
  }

  /** One endpoint, also one that no webhook calls any more. Throws InvalidUrlParam. */
  async get(named: string | undefined): Promise<EndpointDetail> {
    this.requireEnabled();
    const endpoint = laneOf(named);
    if (endpoint === undefined) throw new InvalidUrlParam('endpoint', 'it must be given');
    const [index, limits] = await Promise.all([this.directory.get(), this.limits.of(endpoint)]);
    return {
      ...index.summary(endpoint),
      hooks: index.usesOf(endpoint, MAX_SHOWN_HOOKS),
      sparedUntil: limits.pausedUntil,
      limits,
    };
  }

  private requireEnabled(): void {
    if (!this.settings.enableOutgoingWebhooks) throw outgoingHooksDisabled();
  }
}
