import { Global } from '@nestjs/common';
import { Module } from '../common/module.js';
import { SecretBox } from './secret-box.js';

/** Encryption of stored secrets, for every module. */
@Global()
@Module({ providers: [SecretBox], exports: [SecretBox] })
export class SecretsModule {}
