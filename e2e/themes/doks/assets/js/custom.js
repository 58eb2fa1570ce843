// Here the site would have its own code.
