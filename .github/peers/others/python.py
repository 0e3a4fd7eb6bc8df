"""Times protego, or urllib.robotparser: python3 python.py protego|urllib robots.txt urls.txt"""

import sys
import time

cpu = time.process_time_ns
body = open(sys.argv[2]).read()
urls = open(sys.argv[3]).read().split()
if sys.argv[1] == "protego":
    from protego import Protego

    def read():
        robots = Protego.parse(body)
        return lambda url: robots.can_fetch(url, "Googlebot")
else:
    from urllib.robotparser import RobotFileParser

    def read():
        robots = RobotFileParser()
        robots.parse(body.splitlines())
        return lambda url: robots.can_fetch("Googlebot", url)


best = reading = 10**18
begin = cpu()
while True:
    start = cpu()
    allowed = read()
    reading = min(reading, cpu() - start)
    start = cpu()
    count = sum(allowed(url) for url in urls)
    best = min(best, (cpu() - start) / len(urls))
    if cpu() - begin > 2e9:
        break
print(best, reading, count)
