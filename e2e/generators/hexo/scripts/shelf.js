hexo.extend.filter.register('post_permalink', (link) => link.replace('chimney', 'attic'), 20)
