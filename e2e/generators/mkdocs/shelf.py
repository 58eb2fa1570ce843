import os


def on_files(files, config):
    for file in files:
        if file.src_uri == 'chimney.md':
            file.dest_uri, file.url = 'attic/index.html', 'attic/'
            file.abs_dest_path = os.path.join(config['site_dir'], file.dest_uri)
    return files
