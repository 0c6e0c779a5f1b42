import { Injectable } from '@nestjs/common';
import { type LaneLimits, LaneLimitsService } from '../../delivery/dispatch/lane-limits.service.js';
import type { Overdue } from '../../delivery/dispatch/lanes.read-model.js';
import type { Page } from '../../platform/common/dto/params.js';
import { InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { runeLength } from '../../platform/common/utf8.js';
import { laneOf } from '../delivery-log/delivery-filters.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import { TeamTriggersCache } from '../matching/team-triggers-cache.js';
import type { EndpointState, EndpointSummary, EndpointUse } from './endpoint-index.js';

/** How many webhooks of an endpoint are shown in the list, and on its own page. */
export const MAX_LISTED_HOOKS = 10;
export const MAX_SHOWN_HOOKS = 200;
const MAX_TERM_LENGTH = 300;

/** An endpoint with some of the webhooks that call it. */
export interface Endpoint extends EndpointSummary {
  readonly hooks: readonly EndpointUse[];
  /** The end of the pause in calls to it; 0 if it is not paused. */
  readonly sparedUntil: number;
}

/** Which endpoints to list. */
export interface EndpointQuery {
  readonly state: EndpointState | undefined;
  /** Text that the endpoint's name contains. */
  readonly term: string | undefined;
}

/** One page of endpoints, and how many there are. */
export interface EndpointPage {
  readonly endpoints: readonly Endpoint[];
  /** Endpoints that match the query. */
  readonly totalCount: number;
  /** Failing endpoints, regardless of the query. */
  readonly failingCount: number;
  readonly disabledCount: number;
  readonly overdue: Overdue;
}

/** An endpoint with its call limits. */
export interface EndpointDetail extends Endpoint {
  readonly limits: LaneLimits;
}

/** The endpoints called by outgoing webhooks (docs/contract/outgoing-webhooks.md#endpoints). */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly cache: TeamTriggersCache,
    private readonly limits: LaneLimitsService,
    private readonly hooks: OutgoingHooksService,
  ) {}

  /** Lists endpoints that need attention first. Throws InvalidUrlParam. */
  async list({ state, term = '' }: EndpointQuery, { offset, perPage }: Page): Promise<EndpointPage> {
    this.hooks.requireEnabled();
    if (runeLength(term) > MAX_TERM_LENGTH)
      throw new InvalidUrlParam('term', `it must have at most ${MAX_TERM_LENGTH} characters`);
    const index = await this.cache.endpoints();
    const all = index.all();
    const text = term.toLowerCase();
    const meant = all.filter(
      (one) => (state === undefined || one.state === state) && one.endpoint.includes(text),
    );
    const page = meant
      .slice(offset, offset + perPage)
      .map((one) => ({ ...one, hooks: index.usesOf(one.endpoint, MAX_LISTED_HOOKS) }));
    const [spared, overdue] = await Promise.all([
      this.limits.sparedUntil(page.map(({ endpoint }) => endpoint)),
      this.limits.overdue(),
    ]);
    return {
      endpoints: page.map((one) => ({ ...one, sparedUntil: spared.get(one.endpoint) ?? 0 })),
      totalCount: meant.length,
      failingCount: all.filter((one) => one.state === 'failing').length,
      disabledCount: all.filter((one) => one.state === 'disabled').length,
      overdue,
    };
  }

  /** Also finds an endpoint that no webhook calls anymore. Throws InvalidUrlParam. */
  async get(named: string | undefined): Promise<EndpointDetail> {
    this.hooks.requireEnabled();
    const endpoint = laneOf(named);
    if (endpoint === undefined) throw new InvalidUrlParam('endpoint', 'it is required');
    const [index, limits] = await Promise.all([this.cache.endpoints(), this.limits.of(endpoint)]);
    return {
      ...index.summary(endpoint),
      hooks: index.usesOf(endpoint, MAX_SHOWN_HOOKS),
      sparedUntil: limits.pausedUntil,
      limits,
    };
  }
}
