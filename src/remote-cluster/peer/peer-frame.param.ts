import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { documented } from '../../platform/common/dto/documented-param.js';
import { noteReceived } from '../../platform/common/dto/unknown-fields.js';
import { FrameDto } from '../dto/remote-cluster.dto.js';
import { frameOfOtherConnection } from '../remote-clusters.errors.js';
import { type Frame, parseFrame } from './frame.js';
import type { PeerRequest } from './remote-peer.guard.js';

const readFrame = createParamDecorator((_: unknown, context: ExecutionContext): Frame => {
  const { peer, body } = context.switchToHttp().getRequest<PeerRequest>();
  noteReceived(body, { remote_id: peer.remoteId });
  const frame = parseFrame(body);
  noteReceived(body, { remote_id: frame.remoteId, msg: { id: frame.id, topic: frame.topic } });
  if (frame.remoteId !== peer.remoteId) throw frameOfOtherConnection('remote_id');
  return frame;
});

/** The frame in the body; its connection must match the headers. */
export const PeerFrame = (): ParameterDecorator => documented(readFrame(), ApiBody({ type: FrameDto }));
