import { Global, Module } from '@nestjs/common';
import { SecretBox } from './secret-box.js';

/** Sealing of secrets at rest, for every module. */
@Global()
@Module({ providers: [SecretBox], exports: [SecretBox] })
export class SecretsModule {}
