import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { AppModule } from './src/app.module.js';
import { readEnvironment, Settings } from './src/platform/config/settings.js';
import { dataSourceOptions } from './src/platform/database/data-source.options.js';

/** The data source of the TypeORM command line: `npm run typeorm -- migration:show`. */
export default new DataSource(dataSourceOptions(new Settings(readEnvironment()), AppModule.declared));
