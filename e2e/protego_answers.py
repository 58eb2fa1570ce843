# Answers for each line of JSON, a robots.txt with crawlers and paths, whether each may be fetched.
import json, sys
from protego import Protego
for line in sys.stdin:
    asked = json.loads(line)
    robots = Protego.parse(asked["File"])
    print(json.dumps([robots.can_fetch("https://example.org" + path, agent) for agent, path in zip(asked["Agents"], asked["Paths"])]))
