/** How to call `npm run bench`. */
export const usage = `npm run bench measures speed and memory on both databases. The yardstick is the least that a Node.js server must do for the
same answers; it runs on the same machine and database, by turns with the server.

  npm run bench                                  everything on SQLite and MySQL
  npm run bench -- --database=sqlite             one database
  npm run bench -- --scenario=post,list          some scenarios:
      post, list, get, create, trigger, fan-out, read     against the yardstick
      start, memory                                       of the process
      isolation                                           whether hung endpoints slow others
      same-host                                           whether hung paths slow other webhooks on their host
      scaled                                              one, two and three processes with Redis against one without
  npm run bench -- --seconds=10 --rounds=5       length of a measurement, and into how many turns it is divided
  npm run bench -- --smoke                       whether everything runs: a second each, small, figures without meaning
  npm run bench -- --target=http://host:8065 --login=admin --password=…    any Mattermost-compatible server

  npm run bench -- --json=a.json                 writes the figures too
  npm run bench -- --compare a.json b.json       measures nothing; shows b in relation to a
  npm run bench -- --markdown a.json b.json      measures nothing; prints the tables of docs/performance.md; a scenario
                                                 in a later file takes the place of that in an earlier one`;
