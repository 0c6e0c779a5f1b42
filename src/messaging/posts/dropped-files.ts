import type { Response } from 'express';
import { addWarning } from '../../platform/common/http/warnings.js';
import type { CreatePostDto } from './dto/write-post.dto.js';

/** Adds a warning to the answer if the files of a post were dropped (docs/contract/messaging.md#create-a-post). */
export function warnOfDroppedFiles(response: Response, { file_ids }: CreatePostDto): void {
  if (file_ids.length > 0) addWarning(response, 'file_ids was ignored: files do not exist here');
}
