Jekyll::Hooks.register :site, :post_read do |site|
  site.pages.each do |page|
    page.data['permalink'] = "/#{page.data['shelf']}/" if page.data['shelf']
  end
end
