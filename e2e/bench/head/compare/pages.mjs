// What the scripts have in common: every page below a folder is read, edited and exchanged by a rename.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const tag = `<meta name="robots" content="${process.argv[3]}" />`;

export function each(edit, dir = process.argv[2]) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const name = join(dir, entry.name);
    if (entry.isDirectory()) each(edit, name);
    else if (entry.name.endsWith('.html')) {
      const temp = join(dir, `.${entry.name}.tmp`);
      writeFileSync(temp, edit(readFileSync(name)));
      renameSync(temp, name);
    }
  }
}
