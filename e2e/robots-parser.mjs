// Answers for each line of JSON, a robots.txt with crawlers and paths, whether each may be fetched.
import { createInterface } from 'node:readline';
import robotsParser from 'robots-parser';
for await (const line of createInterface({ input: process.stdin })) {
  const { File, Agents, Paths } = JSON.parse(line);
  const host = 'https://example.org';
  const robots = robotsParser(host + '/robots.txt', File);
  process.stdout.write(JSON.stringify(Agents.map((agent, i) => robots.isAllowed(host + Paths[i], agent))) + '\n');
}
