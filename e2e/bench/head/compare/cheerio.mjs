import { load } from 'cheerio';
import { each, tag } from './pages.mjs';

each(source => {
  const $ = load(source);
  $('head meta[name="robots" i]').remove();
  $('head meta[charset]').first().after(tag);
  return $.html();
});
