import { Injectable } from '@nestjs/common';
import { LaneLimitsService } from '../../delivery/dispatch/lane-limits.service.js';
import type { Page } from '../../platform/common/dto/params.js';
import { InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { runeLength } from '../../platform/common/utf8.js';
import { laneOf } from '../delivery-log/delivery-filters.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import { TeamTriggersCache } from '../matching/team-triggers-cache.js';
import {
  type EndpointDetailDto,
  EndpointDto,
  EndpointLimitsDto,
  type EndpointListDto,
} from './endpoint.dto.js';
import type { EndpointState } from './endpoint-index.js';

/** How many webhooks of an endpoint are shown in the list, and on its own page. */
export const MAX_LISTED_HOOKS = 10;
export const MAX_SHOWN_HOOKS = 200;
const MAX_TERM_LENGTH = 300;

/** The endpoints called by outgoing webhooks (docs/contract/outgoing-webhooks.md#endpoints). */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly cache: TeamTriggersCache,
    private readonly limits: LaneLimitsService,
    private readonly hooks: OutgoingHooksService,
  ) {}

  /** Lists endpoints that need attention first. Throws InvalidUrlParam. */
  async list(
    state: EndpointState | undefined,
    term = '',
    { offset, perPage }: Page,
  ): Promise<EndpointListDto> {
    this.hooks.requireEnabled();
    if (runeLength(term) > MAX_TERM_LENGTH)
      throw new InvalidUrlParam('term', `it must have at most ${MAX_TERM_LENGTH} characters`);
    const index = await this.cache.endpoints();
    const all = index.all();
    const text = term.toLowerCase();
    const meant = all.filter(
      (one) => (state === undefined || one.state === state) && one.endpoint.includes(text),
    );
    const page = meant.slice(offset, offset + perPage);
    const [spared, overdue] = await Promise.all([
      this.limits.sparedUntil(page.map(({ endpoint }) => endpoint)),
      this.limits.overdue(),
    ]);
    return {
      endpoints: page.map((one) => {
        const hooks = index.usesOf(one.endpoint, MAX_LISTED_HOOKS);
        return EndpointDto.from(one, hooks, spared.get(one.endpoint) ?? 0);
      }),
      total_count: meant.length,
      failing_count: all.filter((one) => one.state === 'failing').length,
      disabled_count: all.filter((one) => one.state === 'disabled').length,
      overdue_count: overdue.endpoints,
      oldest_due_at: overdue.oldestDueAt,
    };
  }

  /** Also finds an endpoint that no webhook calls anymore. Throws InvalidUrlParam. */
  async get(named: string | undefined): Promise<EndpointDetailDto> {
    this.hooks.requireEnabled();
    const endpoint = laneOf(named);
    if (endpoint === undefined) throw new InvalidUrlParam('endpoint', 'it is required');
    const [index, limits] = await Promise.all([this.cache.endpoints(), this.limits.of(endpoint)]);
    const hooks = index.usesOf(endpoint, MAX_SHOWN_HOOKS);
    const shown = EndpointDto.from(index.summary(endpoint), hooks, limits.pausedUntil);
    return { ...shown, limits: EndpointLimitsDto.from(limits) };
  }
}
