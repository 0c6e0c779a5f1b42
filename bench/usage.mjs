/** How to call `npm run bench`. */
export const usage = `npm run bench measures speed and memory on both databases. The yardstick does only what a Node.js server must do
to return the same responses; it runs on the same machine and database, alternating with the server.

  npm run bench                                  everything on SQLite and MySQL
  npm run bench -- --database=sqlite             one database
  npm run bench -- --scenario=post,list          some scenarios:
      post, list, get, create, trigger, fan-out, read     against the yardstick
      start, memory                                       of the process
      isolation                                           whether hung endpoints slow down others
      same-host                                           whether hung paths slow down others on their host
      scaled                                              one, two and three processes with Redis against one without
  npm run bench -- --seconds=10 --rounds=5       length of a measurement, and the number of rounds it is split into
  npm run bench -- --smoke                       checks that everything runs: one second each; the figures mean nothing
  npm run bench -- --target=http://host:8065 --login=admin --password=…    any Mattermost-compatible server

  npm run bench -- --json=a.json                 also writes the figures to a file
  npm run bench -- --compare a.json b.json       measures nothing; compares b with a
  npm run bench -- --markdown a.json b.json      measures nothing; prints the tables of docs/performance.md; scenarios
                                                 in later files replace those in earlier ones`;
