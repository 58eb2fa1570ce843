import lol from 'lol-html';
import { each, tag } from './pages.mjs';

each(source => {
  const chunks = [];
  const rewriter = new lol.HTMLRewriter('utf8', chunk => chunks.push(Buffer.from(chunk)));
  rewriter.on('head meta[name="robots" i]', { element(e) { e.remove(); } });
  rewriter.on('head meta[charset]', { element(e) { e.after(tag, { html: true }); } });
  rewriter.write(source);
  rewriter.end();
  rewriter.free?.();
  return Buffer.concat(chunks);
});
