import re

def duration(text):
    """Seconds of 90m or 1h30m."""
    total = 0
    for n, unit in re.findall(r"(\d+)([hm])", text):
        total += int(n) * UNITS[unit]
    return total

UNITS = {"h": 3600, "m": 60}
