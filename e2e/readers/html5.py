"""Reads pages as html5lib does, by its own sniffing of the encoding. Questions and answers are those of parse5.mjs."""
import base64
import json
import re
import sys

import html5lib
from html5lib.constants import namespaces

builder = html5lib.getTreeBuilder("etree")
html = "{%s}" % namespaces["html"]


def metas(element, head):
    if element.tag == html + "head":
        head = True
    if element.tag == html + "meta" and "name" in element.attrib:
        yield {"head": head, "name": element.attrib["name"], "content": element.attrib.get("content")}
    # This builder keeps the content of a template among its children.
    if element.tag != html + "template":
        for child in element:
            yield from metas(child, head)


for line in sys.stdin:
    asked = json.loads(line)
    charset = re.search(r'charset="?([^";\s]+)', asked["type"], re.I)
    parser = html5lib.HTMLParser(tree=builder)
    tree = parser.parse(base64.b64decode(asked["body"]), scripting=True, transport_encoding=charset and charset[1])
    print(json.dumps(list(metas(tree, False))), flush=True)
