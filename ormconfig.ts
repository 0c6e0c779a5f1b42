import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { AppModule } from './src/app.module.js';
import { readEnvironment, Settings } from './src/platform/config/settings.js';
import { dataSourceOptions } from './src/platform/database/data-source.options.js';
import { guardSqliteRunners } from './src/platform/database/sqlite/guarded-query-runner.js';

/** The data source of the TypeORM command line: `npm run typeorm -- migration:show`. */
const dataSource = new DataSource(dataSourceOptions(new Settings(readEnvironment()), AppModule.declared));
guardSqliteRunners(dataSource);

export default dataSource;
